@echo off
rem SPDX-License-Identifier: MIT
rem convert.cmd [FILE.etl]: writes FILE.xml. On the machine that recorded FILE.etl: its Windows knows the events.
setlocal
set file=%~1
if "%file%"=="" set file=dxg.etl
for %%f in ("%file%") do tracerpt "%%~ff" -o "%%~dpnf.xml" -of XML -lr -y || exit /b 2
