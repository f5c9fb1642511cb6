"""What fingers do on a page, and what they find there that is too small for them."""

from .if_installed import Page


def swipe(page: Page, *points: tuple[float, float]) -> None:
    """A finger that comes down on the first of these points and goes along the others."""
    client = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(points):
        touched = {
            "type": "touchMove" if number else "touchStart",
            "touchPoints": [{"x": x, "y": y}],
        }
        client.send("Input.dispatchTouchEvent", touched)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    client.detach()


def straight(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """Points at even distances on the way from one to the other."""
    return [tuple(a + (b - a) * i / 12 for a, b in zip(start, end, strict=True)) for i in range(13)]


# What a finger misses or an eye cannot read, and what is cut off or lies beside its explorer.
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
        if (each.closest(".course-stage")) return false; // for which CROWDED is there
        const its = each.getBoundingClientRect();
        return its.left < left - 1 || its.right > right + 1;
    };
    return all.filter((each) => [isSmall, isFaint, isCut, isOutside].some((is) => is(each)))
        .map((each) => each.outerHTML.slice(0, 200));
}"""
