"""fastapi-users of PyPI: a form, a JSON Web Token, and no call that renews it."""

import os
import secrets

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, Program, Relay, free_port

PACKAGES = ["fastapi-users[sqlalchemy]==15.0.5", "fastapi==0.165.0", "uvicorn==0.54.0", "aiosqlite==0.22.1"]
ACCOUNT = "ann@example.org"

APP = '''
import contextlib, os, uuid
from fastapi import Depends, FastAPI
from fastapi_users import BaseUserManager, FastAPIUsers, UUIDIDMixin, exceptions, schemas
from fastapi_users.authentication import AuthenticationBackend, BearerTransport, JWTStrategy
from fastapi_users.db import SQLAlchemyBaseUserTableUUID, SQLAlchemyUserDatabase
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase
folder = os.path.dirname(os.path.abspath(__file__))
secret = open(os.path.join(folder, "secret")).read()
class Base(DeclarativeBase): pass
class User(SQLAlchemyBaseUserTableUUID, Base): pass
engine = create_async_engine(f"sqlite+aiosqlite:///{folder}/database")
sessions = async_sessionmaker(engine, expire_on_commit=False)
async def users():
    async with sessions() as session: yield SQLAlchemyUserDatabase(session, User)
class Manager(UUIDIDMixin, BaseUserManager[User, uuid.UUID]):
    reset_password_token_secret = verification_token_secret = secret
async def manager(database=Depends(users)): yield Manager(database)
class Read(schemas.BaseUser[uuid.UUID]): pass
class Update(schemas.BaseUserUpdate): pass
backend = AuthenticationBackend(
    name="jwt", transport=BearerTransport(tokenUrl="auth/jwt/login"),
    get_strategy=lambda: JWTStrategy(secret=secret, lifetime_seconds=600))
library = FastAPIUsers[User, uuid.UUID](manager, [backend])
@contextlib.asynccontextmanager
async def lifespan(app):
    async with engine.begin() as connection: await connection.run_sync(Base.metadata.create_all)
    async with sessions() as session:
        with contextlib.suppress(exceptions.UserAlreadyExists):
            await Manager(SQLAlchemyUserDatabase(session, User)).create(
                schemas.BaseUserCreate(email=os.environ["ACCOUNT"], password=os.environ["PASSWORD"]))
    yield
app = FastAPI(lifespan=lifespan)
app.include_router(library.get_auth_router(backend), prefix="/auth/jwt")
app.include_router(library.get_users_router(Read, Update), prefix="/users")
@app.get("/orders")
async def orders(user=Depends(library.current_user(active=True))): return {"orders of": user.email}
'''


class FastAPIUsers(Server):
    title, version = "fastapi-users", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        self.python = python_with("fastapi-users", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.relay = Relay(self.port)
        with open(f"{folder}/app.py", "w") as file:
            file.write(APP)
        self.end_sessions(None)

    def end_sessions(self, cases):
        """It is started again with another key: no token that it has given is good any more."""
        if self.program:
            self.program.stop()
        with open(os.open(f"{self.folder}/secret", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        self.program = Program(
            [self.python, "-m", "uvicorn", "app:app", "--app-dir", self.folder, "--host", "127.0.0.1", "--port", str(self.port)],
            self.port, self.folder, {"ACCOUNT": ACCOUNT, "PASSWORD": PASSWORD})

    def ways(self):
        yield Way(
            self, "a form, a JSON Web Token", "fastapi-users", "/orders", ACCOUNT, user=ACCOUNT, renews="credential",
            signs_in="POST /auth/jwt/login")
