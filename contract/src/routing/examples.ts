import { routeDefaults } from './rules.ts';
import type { Route } from './schemas/routes.ts';

export const routeExample: Route = {
  ...routeDefaults,
  id: 7,
  forwards: [
    {
      id: 8,
      label: 'Front desk',
      number: '+12125550147',
      contact_id: null,
      user_id: null,
      team_id: null,
      weight: null,
      timeout: null,
      schedule: null,
      area_codes: [],
      states: [],
      order: 0,
      caller_id: null,
      custom_caller_id: null,
    },
  ],
  business_hours: null,
  email_alert_address: [],
  voicemail_greeting_id: null,
  voicemail_greeting: null,
  after_hours: null,
  max_attempts: 1,
};
