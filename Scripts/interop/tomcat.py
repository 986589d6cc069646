"""Tomcat with FORM authentication (Jakarta Servlet 6, section 13.6.3)."""

import glob
import os
import shutil

from apache import Variant
from parts import PASSWORD, USER, Absent, Program, free_port

SERVER = """<Server port="-1"><Service name="Catalina">
<Connector port="{port}" address="127.0.0.1" protocol="HTTP/1.1"/>
<Engine name="Catalina" defaultHost="localhost">
<Realm className="org.apache.catalina.realm.MemoryRealm" pathname="conf/tomcat-users.xml"/>
<Host name="localhost" appBase="webapps" autoDeploy="false"/>
</Engine></Service></Server>
"""
# Sessions are not kept over a restart, which ends them so.
CONTEXT = '<Context><Manager pathname=""/></Context>'
DEFAULTS = """<web-app xmlns="{schema}" version="{version}">
<servlet><servlet-name>default</servlet-name><servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class></servlet>
<servlet><servlet-name>jsp</servlet-name><servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class></servlet>
<servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
<servlet-mapping><servlet-name>jsp</servlet-name><url-pattern>*.jsp</url-pattern></servlet-mapping>
<mime-mapping><extension>html</extension><mime-type>text/html</mime-type></mime-mapping>
</web-app>
"""
APPLICATION = """<web-app xmlns="{schema}" version="{version}">
<security-constraint><web-resource-collection><web-resource-name>secret</web-resource-name>
<url-pattern>/secret/*</url-pattern></web-resource-collection>
<auth-constraint><role-name>staff</role-name></auth-constraint></security-constraint>
<login-config><auth-method>FORM</auth-method><form-login-config><form-login-page>/login.html</form-login-page>
<form-error-page>/error.html</form-error-page></form-login-config></login-config>
<security-role><role-name>staff</role-name></security-role>
</web-app>
"""
LOGIN = (
    '<!DOCTYPE html><title>Log in</title><form method="post" action="j_security_check"><input name="j_username">'
    '<input type="password" name="j_password"><button>Log in</button></form>')


class Tomcat:
    def __init__(self, folder):
        homes = [os.environ.get("CATALINA_HOME"), *sorted(glob.glob("/usr/share/tomcat[0-9]*"), reverse=True)]
        homes = [home for home in homes if home and os.path.exists(f"{home}/bin/bootstrap.jar")]
        java = shutil.which("java")
        if not homes or not java:
            raise Absent("Tomcat and Java (Debian: tomcat10-common; or CATALINA_HOME)")
        home, self.port = homes[0], free_port()
        jakarta = not any(f"tomcat{number}" in home for number in [7, 8, 9])
        words = {
            "port": self.port, "version": "6.0" if jakarta else "4.0",
            "schema": "https://jakarta.ee/xml/ns/jakartaee" if jakarta else "http://xmlns.jcp.org/xml/ns/javaee"}
        files = {
            "conf/server.xml": SERVER.format(**words), "conf/context.xml": CONTEXT, "conf/web.xml": DEFAULTS.format(**words),
            "conf/tomcat-users.xml":
                f'<tomcat-users><user username="{USER}" password="{PASSWORD}" roles="staff"/></tomcat-users>',
            "webapps/app/WEB-INF/web.xml": APPLICATION.format(**words), "webapps/app/login.html": LOGIN,
            "webapps/app/error.html": "<!DOCTYPE html><title>Sorry</title><p>That didn't work.</p>",
            "webapps/app/secret/page.html": "inside",
            "webapps/app/logout.jsp": '<%@ page session="true" %><% session.invalidate(); %>Goodbye.'}
        for name, text in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        for name in ["temp", "logs", "work"]:
            os.makedirs(f"{folder}/{name}", exist_ok=True)
        self.program = Program(
            [java, "-cp", f"{home}/bin/bootstrap.jar:{home}/bin/tomcat-juli.jar", f"-Dcatalina.home={home}",
             f"-Dcatalina.base={folder}", f"-Djava.io.tmpdir={folder}/temp", "org.apache.catalina.startup.Bootstrap", "start"],
            self.port, folder)

    def stop(self):
        self.program.stop()

    def variants(self):
        return [Form(self)]


class Form(Variant):
    name = "Tomcat, FORM: a 200 with the form; a wrong password gets a 200 without one"
    arguments = ["gateway", "--option=logout=/app/logout.jsp"]
    expiry = "it is restarted, without its sessions"

    def __init__(self, server):
        super().__init__(server, "/app/secret/page.html")

    def expire(self, password):
        self.server.program.stop()
        self.server.program.start()
        return PASSWORD
