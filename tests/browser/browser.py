# SPDX-License-Identifier: MIT
"""A headless Chromium, by the WebDriver protocol over HTTP and with nothing but the standard
library. Width and colour scheme are those of a device, so that 400 pixels are 400 pixels."""
import base64
import json
import re
import subprocess
import urllib.error
import urllib.request


class Browser:
    def __init__(self, driver, chromium, script=True):
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        try:
            self._begin(chromium, script)
        except BaseException:
            self._end()
            raise

    def _begin(self, chromium, script):
        self.address = "http://127.0.0.1:%d" % self._port()
        options = {
            "binary": chromium,
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-dev-shm-usage", "--disable-background-networking",
                     "--no-first-run", "--disable-component-update", "--disable-sync"],
        }
        if not script:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        capabilities = {"goog:chromeOptions": options,
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = "/session/" + made["sessionId"]

    def _port(self):
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise RuntimeError("chromedriver does not start")

    def _ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    def close(self):
        try:
            self._ask("DELETE", self.session)
        finally:
            self._end()

    def _end(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self._ask("POST", self.session + "/goog/cdp/execute",
                         {"cmd": name, "params": parameters})

    def device(self, width, height, dark):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def media(self, media):
        self.command("Emulation.setEmulatedMedia", media=media)

    def open(self, url):
        self._ask("POST", self.session + "/url", {"url": url})

    def run(self, script, *arguments):
        return self._ask("POST", self.session + "/execute/sync",
                         {"script": script, "args": list(arguments)})

    def logs(self, kind):
        """What has been logged since the last time; kind: browser, performance."""
        return self._ask("POST", self.session + "/se/log", {"type": kind})

    def requests(self):
        """The addresses that were asked for since the last time."""
        messages = [json.loads(entry["message"])["message"] for entry in self.logs("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path, whole=True):
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
