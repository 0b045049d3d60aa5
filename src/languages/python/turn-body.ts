import type { TestNode } from "../test-syntax.ts";
import type { TwinEdits } from "../twin-edits.ts";

/**
 * Turns a whole test round, whatever it asserts with: helpers, methods of its class, libraries. Where its body comes to
 * its end the twin fails, and where it raises the twin passes. Done behind the class or function, so that nothing that
 * stands in it, its parameters and its marks are touched.
 */
export function turnBody(test: TestNode, as: string, mark: string): TwinEdits {
  const groups = test.name.split("::").slice(0, -1);
  return { edits: [], after: `\n_turn_${mark}(${JSON.stringify(groups)}, ${JSON.stringify(as)})\n`, turned: "body" };
}

/** A test that skips itself is skipped as before. Some libraries make several functions of one. */
export const turnBodySupport = (mark: string): string => `

def _turned_${mark}(test):
    import functools, inspect
    def judge(error):
        if error is None:
            raise AssertionError("${mark}")
        if type(error).__name__ in ("Skipped", "SkipTest"):
            raise error
    if inspect.iscoroutinefunction(test):
        @functools.wraps(test)
        async def turned(*given, **named):
            error = None
            try:
                await test(*given, **named)
            except BaseException as raised:
                error = raised
            judge(error)
    else:
        @functools.wraps(test)
        def turned(*given, **named):
            error = None
            try:
                test(*given, **named)
            except BaseException as raised:
                error = raised
            judge(error)
    return turned


def _turn_${mark}(groups, name):
    place = None
    for group in groups:
        place = vars(place).get(group) if place else globals().get(group)
        if place is None:
            return
    known = vars(place) if place else globals()
    for key, test in list(known.items()):
        if key != name and not key.startswith(name + "_"):
            continue
        is_static = isinstance(test, staticmethod)
        turned = _turned_${mark}(test.__func__ if is_static else test)
        turned = staticmethod(turned) if is_static else turned
        if place:
            setattr(place, key, turned)
        else:
            known[key] = turned
`;
