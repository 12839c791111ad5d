/** Links of one favorite that work at once, and days that one can work. */
export const reportLinkLimits = { perFavorite: 20, days: 366 } as const;

/** The page that a link opens. What follows `#` isn’t sent to any server, so no log has it. */
export const sharedReportPath = '/shared/report';

/** Why a link doesn't open, for those who made it or close it. */
export const closedReasons = ['expired', 'maker', 'too_long', 'too_many', 'not_a_report'] as const;
