# SPDX-License-Identifier: MIT
"""A conformance test of a plug-in, in parts that Bazel runs side by side.

    load("//contrib/bazel:wddm_cts.bzl", "wddm_cts_test")
    wddm_cts_test(name = "conformance", tool = "@wddm_cts//:tool", plugin = ":mine.so", shard_count = 8)
"""

def _wddm_cts_test_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    words = ["\"./%s\"" % ctx.executable.tool.short_path, "run", "--shard", "auto"]
    if ctx.file.plugin:
        words += ["--impl", "\"./%s%s\"" % (ctx.file.plugin.short_path, ctx.attr.options)]
    words += ["'%s'" % word.replace("'", "'\\''") for word in ctx.attr.words]
    ctx.actions.write(script, "#!/bin/sh\nexec %s\n" % " ".join(words), is_executable = True)
    files = [ctx.executable.tool] + ctx.files.data + ctx.files.plugin
    runfiles = ctx.runfiles(files = files).merge(ctx.attr.tool[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

wddm_cts_test = rule(
    implementation = _wddm_cts_test_impl,
    test = True,
    attrs = {
        "tool": attr.label(mandatory = True, executable = True, cfg = "target", allow_files = True),
        "plugin": attr.label(allow_single_file = True),
        "options": attr.string(doc = "options of the plug-in, with a comma before each"),
        "words": attr.string_list(doc = "more options of wddm-cts run"),
        "data": attr.label_list(allow_files = True, doc = "such as spec/ and cases/"),
    },
)
