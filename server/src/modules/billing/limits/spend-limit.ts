/** What a company may spend beyond its plan in a period, in cents; null: there is no limit. */
export const spendLimitOf = (settings: unknown): number | null => {
  const cents = (settings as { spend_limit_cents?: unknown } | null)?.spend_limit_cents;
  return typeof cents === 'number' && cents > 0 ? cents : null;
};
