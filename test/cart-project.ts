/** A small project and its tests, for proofs of a change in it. */
export const CART = `def total(prices, discount=0):
    result = sum(prices)
    if discount:
        result = result - result * discount
    return result


def cheapest(prices):
    return min(prices)
`;
export const CART_TESTS = `from cart import total, cheapest


def test_total():
    assert total([1, 2]) == 3


def test_cheapest():
    assert cheapest([3, 1]) == 1
`;
