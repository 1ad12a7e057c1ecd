/** Names that say of themselves that the test data was measured: `test/loss`, `Test Loss`, `test_acc`, `testLoss`, `loss_test`. */
const OF_TEST_DATA = /(^|[/.])(test|Test|TEST)(?![a-z])|[/._-]test$/;

/** Whether a metric says by its name that it is measured on the test data. */
export function isOfTestData(metric: string): boolean {
  return OF_TEST_DATA.test(metric);
}
