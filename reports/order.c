/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "../runner/store/json.h"
#include "report.h"

static void order_release(struct wcts_report_order *order)
{
    free(order->id);
    free(order->text);
    free(order->options);
}

void wcts_report_orders_release(struct wcts_report_orders *orders)
{
    for (int i = 0; i < orders->count; i++)
        order_release(&orders->of[i]);
    free(orders->of);
    *orders = (struct wcts_report_orders){0};
}

bool wcts_report_orders_add(struct wcts_report_orders *orders, struct wcts_report_order order)
{
    struct wcts_report_order *added = NULL;
    if (order.id && order.text && order.options)
        added = WCTS_ARRAY_ADD(orders->of, orders->count);
    if (added)
        *added = order;
    else
        order_release(&order);
    return added != NULL;
}

const struct wcts_report_order *wcts_report_order_of(const struct wcts_report_run *run,
                                                     const char *id)
{
    for (int i = 0; i < run->orders.count; i++)
        if (strcmp(run->orders.of[i].id, id) == 0)
            return &run->orders.of[i];
    return NULL;
}

json_t *wcts_report_orders_json(const struct wcts_report_orders *orders)
{
    json_t *list = orders->count > 0 ? json_array() : NULL;
    for (int i = 0; i < orders->count; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "case",
                                              wcts_store_json_text(orders->of[i].id), "found",
                                              wcts_store_json_text(orders->of[i].text), "replay",
                                              wcts_store_json_text(orders->of[i].options)));
    return list;
}

bool wcts_report_orders_read(struct wcts_report_orders *orders, const json_t *value)
{
    bool good = !value || json_is_array(value);
    for (size_t i = 0; good && i < json_array_size(value); i++) {
        const json_t *one = json_array_get(value, i);
        good = wcts_report_orders_add(
            orders, (struct wcts_report_order){strdup(wcts_store_json_member(one, "case")),
                                               strdup(wcts_store_json_member(one, "found")),
                                               strdup(wcts_store_json_member(one, "replay"))});
    }
    return good;
}
