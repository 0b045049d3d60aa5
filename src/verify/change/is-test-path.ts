const TEST_PATHS = [
  /(^|\/)(test_[^/]*|[^/]*_test|tests|conftest)\.py$/,
  /((\.|-|_)(test|spec)|(^|\/)test(-[^/]*)?)\.[cm]?[jt]sx?$/,
  /_test\.go$/,
  /(^|\/)(tests?|__tests__|testdata)\//,
];

/** Whether this is a test, or stands among tests: what is there is no behaviour of the program. */
export const isTestPath = (path: string): boolean => TEST_PATHS.some((pattern) => pattern.test(path));
