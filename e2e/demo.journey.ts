/**
 * Journeys in the demo world: its people and numbers are shared, so these run one after the other
 * in one worker, while journeys in companies of their own run in the other. To run one: `npx vitest
 * run --project journeys e2e/demo -t 'the tour'`.
 */
import './demo/screens.ts';
import './demo/frame.ts';
import './demo/first-minutes.ts';
import './demo/demo-site.ts';
import './demo/alerts.ts';
import './demo/reports.ts';
import './demo/two-browsers.ts';
import './demo/transfer.ts';
import './demo/registration.ts';
import './demo/hours.ts';
import './demo/export.ts';
