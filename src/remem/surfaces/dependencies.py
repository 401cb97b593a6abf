"""What the application opened at its start, as a request finds it."""

from typing import Annotated

from fastapi import Depends, Request

from remem.core.ports import Ports
from remem.settings import Settings


# Not plain functions: those would be called in a thread, which takes longer than all they do.
async def get_ports(request: Request) -> Ports:
    return request.app.state.ports


async def get_settings(request: Request) -> Settings:
    return request.app.state.settings


PortsDep = Annotated[Ports, Depends(get_ports)]
SettingsDep = Annotated[Settings, Depends(get_settings)]
