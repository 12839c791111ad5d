export { stopMailsRoutes } from './report-mails/stop-mails.ts';
