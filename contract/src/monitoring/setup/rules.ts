/** What is tested before an installation is used, in the order an operator sets it up. */
export const setupChecks = [
  'address',
  'mail',
  'carrier',
  'company',
  'backups',
  'files',
  'disk',
  'database',
  'clock',
] as const;
export type SetupCheck = (typeof setupChecks)[number];
