/** Favorites that one person can have, and characters of what one opens. */
export const favoriteLimits = { perPerson: 200, name: 80, value: 20_000, recipients: 20 } as const;

/** How often a report is emailed: each day, on Mondays, or on the first of a month. */
export const reportFrequencies = ['daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = (typeof reportFrequencies)[number];

/** The file that comes along with a report’s email. */
export const reportAttachments = ['none', 'csv', 'pdf'] as const;
export type ReportAttachment = (typeof reportAttachments)[number];
/** Rows of an emailed CSV file; an export has all. */
export const mostMailedRows = 2000;

/** The screen whose favorites can be emailed. */
export const mailedPath = '/analytics/calls';

/** Where the link that stops a report's emails leads; what mail programs post to is below `/api`. */
export const stopMailsPath = '/report-mails/stop';
