/* SPDX-License-Identifier: MIT */
#include "host_port.h"

#include <stdlib.h>
#include <string.h>

/* A number that is no port would be taken modulo 65536, and lead to another one. */
static bool is_port(const char *port)
{
    size_t digits = strspn(port, "0123456789");
    return port[0] != '\0' && (port[digits] != '\0' || strtoul(port, NULL, 10) <= 65535);
}

bool wcts_address_has_port(const char *word)
{
    const char *colon = strrchr(word, ':');
    return colon && is_port(colon + 1);
}

bool wcts_address_split(char *word, char **host, char **port)
{
    char *colon = strrchr(word, ':');
    if (!wcts_address_has_port(word))
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
