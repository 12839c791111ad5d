/** What a support ticket can hold (A25). */
export const supportTicketLimits = { files: 5, fileBytes: 10 * 1024 * 1024, message: 10_000 };
