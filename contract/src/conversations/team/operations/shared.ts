export const at = '2026-11-21T09:15:04.000Z';
