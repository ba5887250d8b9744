/* SPDX-License-Identifier: MIT */
#include "exit.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

const char *wcts_exit_text(int status, char *buffer, size_t room)
{
    const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;
    if (WIFSIGNALED(status))
        snprintf(buffer, room, "killed by SIG%s", name ? name : "?");
    else
        snprintf(buffer, room, "called exit(%d)", WEXITSTATUS(status));
    return buffer;
}
