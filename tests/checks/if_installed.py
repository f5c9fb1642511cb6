"""Names from Playwright, which are None if it is not installed."""

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import (
        Browser,
        ConsoleMessage,
        Locator,
        Page,
        Request,
        expect,
        sync_playwright,
    )
except ImportError:
    Axe = Browser = ConsoleMessage = Locator = Page = Request = expect = sync_playwright = None

__all__ = ["Axe", "Browser", "ConsoleMessage", "Locator", "Page", "Request", "expect"]
__all__ += ["sync_playwright"]
