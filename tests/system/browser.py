"""A real browser without a screen (Chromium), for the pages that mixlab writes.

    python3 browser.py PAGE.html PICTURE.png [WIDTH [HEIGHT]]     takes a picture
"""
import base64
import json
import shutil
import sys
from pathlib import Path

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def available():
    try:
        import selenium  # noqa: F401
    except ImportError:
        return False
    return bool(CHROMIUM and DRIVER)


class Browser:
    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                       "--hide-scrollbars"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)

    def close(self):
        self.driver.quit()

    def open(self, path, width=1400, height=1000, scripts=True):
        self.command("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 600)
        self.messages(), self.requests()
        self.driver.get(Path(path).resolve().as_uri())

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def run(self, script, *arguments):
        """The value that the script returns; scripts of ours run even where the page's own are switched off."""
        return self.driver.execute_script(script, *arguments)

    def messages(self):
        """What the console said since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def move_to(self, x, y):
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, width, height):
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        return base64.b64decode(self.command("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])

    def pdf(self):
        return base64.b64decode(self.command("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])


def main(page, picture, width="1400", height=None):
    browser = Browser()
    try:
        browser.open(page, width=int(width))
        whole = browser.run("return document.documentElement.scrollHeight")
        Path(picture).write_bytes(browser.picture(int(width), int(height or whole)))
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
