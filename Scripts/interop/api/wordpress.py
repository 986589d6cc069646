"""WordPress of Debian on PHP's own server and a MariaDB of its own, with application passwords."""

import os
import shutil
import subprocess
import time

from api.ways import Server, Way
from parts import PASSWORD, USER, Absent, Program, Relay, Wrong, free_port

SOURCES = "/usr/share/wordpress"
CONFIGURATION = """<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{folder}/socket');
define('WP_HOME', '{address}');
define('WP_SITEURL', '{address}');
// Over plain http, application passwords are for development alone.
define('WP_ENVIRONMENT_TYPE', 'local');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTH_KEY', 'of this run alone');
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
INSTALL = """
define('WP_INSTALLING', true);
require 'wp-load.php';
require 'wp-admin/includes/upgrade.php';
wp_install('interop', '{user}', 'ann@example.org', false, '', '{password}');
update_option('permalink_structure', '/%postname%/');
"""
# As the user's profile makes it, in groups of four.
NEW_PASSWORD = """
require 'wp-load.php';
WP_Application_Passwords::delete_all_application_passwords(1);
$made = WP_Application_Passwords::create_new_application_password(1, ['name' => 'interop']);
echo WP_Application_Passwords::chunk_password($made[0]);
"""


class WordPress(Server):
    title = "WordPress"

    def __init__(self, folder):
        needed = [shutil.which(name) for name in ("mariadbd", "mariadb-install-db", "mariadb", "php")]
        if not all(needed) or not os.path.exists(f"{SOURCES}/wp-includes/version.php"):
            raise Absent("WordPress (Debian: wordpress, mariadb-server, php-cli, php-mysql)")
        self.folder, self.port, self.program, self.database = folder, free_port(), None, None
        self.relay, self.site = Relay(self.port), f"{folder}/site"
        self.address = f"http://127.0.0.1:{self.relay.port}"
        shutil.copytree(SOURCES, self.site, symlinks=False, ignore_dangling_symlinks=True)
        with open(f"{self.site}/wp-config.php", "w") as file:
            file.write(CONFIGURATION.format(folder=folder, address=self.address))
        as_root = ["--user=root"] if os.getuid() == 0 else []
        subprocess.run(
            ["mariadb-install-db", f"--datadir={folder}/data", "--auth-root-authentication-method=normal", *as_root], check=True,
            capture_output=True)
        self.database = subprocess.Popen(
            ["mariadbd", "--no-defaults", f"--datadir={folder}/data", f"--socket={folder}/socket", "--skip-networking",
             f"--pid-file={folder}/pid", *as_root], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(f"{folder}/database", "w"))
        try:
            self.make_database()
            self.php(INSTALL.format(user=USER, password=PASSWORD))
            self.version = self.php("require 'wp-includes/version.php'; echo $wp_version;").strip()
            self.program = Program(["php", "-S", f"127.0.0.1:{self.port}", "-t", self.site], self.port, folder)
        except BaseException:
            self.stop()
            raise

    def make_database(self):
        for _ in range(200):
            done = subprocess.run(
                ["mariadb", "--no-defaults", f"--socket={self.folder}/socket", "-u", "root", "-e", "CREATE DATABASE wordpress"],
                capture_output=True, text=True)
            if done.returncode == 0:
                return
            time.sleep(0.1)
        raise Wrong(f"MariaDB did not start: {done.stderr}")

    def php(self, code):
        done = subprocess.run(["php", "-r", code], capture_output=True, text=True, cwd=self.site, timeout=120)
        if done.returncode != 0:
            raise Wrong(f"PHP: {done.stdout[-500:]} {done.stderr[-500:]}")
        return done.stdout

    def end_sessions(self, cases):
        """The user takes the application password back and makes another."""
        cases.way.password = self.php(NEW_PASSWORD).strip()

    def stop(self):
        if self.program:
            self.program.stop()
        if self.database:
            self.database.terminate()
            self.database.wait(60)
        self.relay.stop()

    def ways(self):
        yield Way(
            self, "an application password, as the profile shows it", "wordpress-application-password",
            "/wp-json/wp/v2/users/me", f'"name":"{USER}"', renews="none", signs_in="GET /wp-json/wp/v2/users/me",
            password=self.php(NEW_PASSWORD).strip())
