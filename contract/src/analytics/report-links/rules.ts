/** Links of one favorite that work at once, and days that one can work. */
export const reportLinkLimits = { perFavorite: 20, days: 366 } as const;

/** The page that a link opens. What follows `#` isn’t sent to any server, so no log has it. */
export const sharedReportPath = '/shared/report';
