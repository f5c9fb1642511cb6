"""Touch gestures on pages, and a check for controls that are too small for fingers."""

from .if_installed import Page


def swipe(page: Page, x: float, y: float, right: float = 0, down: float = 0) -> None:
    """Perform a straight swipe with a finger."""
    client = page.context.new_cdp_session(page)
    for step in range(6 if right or down else 1):
        point = {"x": x + right * step / 5, "y": y + down * step / 5}
        touched = {"type": "touchMove" if step else "touchStart", "touchPoints": [point]}
        client.send("Input.dispatchTouchEvent", touched)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    client.detach()


# Elements that are too small to touch or read, are cut off, or extend beyond their explorer.
BADLY_SIZED = """box => {
    const { left, right } = box.getBoundingClientRect();
    const all = [...box.querySelectorAll(":not(.course-unseen, .course-unseen *)")]
        .filter((each) => each.checkVisibility());
    const target = (each) => each.type === "checkbox" ? each.parentElement : each;
    const isSmall = (each) => {
        const { width, height } = target(each).getBoundingClientRect();
        return each.matches("button, input, select, textarea, summary")
            && (width < 44 || height < 44);
    };
    const isFaint = (each) => parseFloat(getComputedStyle(each).fontSize) < 12
        && [...each.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
    const names = "button, summary, .course-asks, .course-control :is(label, output)";
    const isCut = (each) => each.matches(names) && each.scrollWidth > each.clientWidth;
    const isOutside = (each) => {
        const its = each.getBoundingClientRect(); // for what is on the stage, CROWDED is there
        return !each.closest(".course-stage") && (its.left < left - 1 || its.right > right + 1);
    };
    return all.filter((each) => [isSmall, isFaint, isCut, isOutside].some((is) => is(each)))
        .map((each) => each.outerHTML.slice(0, 200));
}"""
