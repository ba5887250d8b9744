@echo off
rem SPDX-License-Identifier: MIT
rem record.cmd [FILE.etl]: records the graphics kernel until a key is pressed. In an elevated prompt.
setlocal
set file=%~1
if "%file%"=="" set file=dxg.etl
wpr -cancel >nul 2>&1
wpr -start "%~dp0wddm-cts.wprp!WddmCts" -filemode || exit /b 2
echo Use the driver now: start programs, change the resolution, let the machine sleep.
pause
wpr -stop "%file%" "wddm-cts" || exit /b 2
