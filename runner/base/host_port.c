/* SPDX-License-Identifier: MIT */
#include "host_port.h"

#include <string.h>

bool wcts_address_split(char *word, char **host, char **port)
{
    char *colon = strrchr(word, ':');
    if (!colon || colon[1] == '\0')
        return false;
    *colon = '\0';
    *port = colon + 1;
    *host = word;
    if (word[0] == '[' && colon > word + 1 && colon[-1] == ']') {
        colon[-1] = '\0';
        *host = word + 1;
    }
    return true;
}
