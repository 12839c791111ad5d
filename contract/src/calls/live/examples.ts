import type { LiveCall } from './schemas.ts';

export const at = '2026-11-21T09:15:04.000Z';

export const liveExample: LiveCall = {
  id: 48213377024,
  company_id: 1,
  number: { id: 12, number: '+14155552368', label: 'Main line' },
  outbound: 0,
  party: '+12125550147',
  contact: { id: 77, name: 'Dana Reed' },
  caller_name: 'DANA REED',
  state: 'talking',
  since: at,
  started_at: at,
  answered_at: at,
  route: 'Sales',
  people: [
    {
      leg: 'in-1',
      user_id: null,
      label: 'Dana Reed',
      number: '+12125550147',
      role: 'outside',
      state: 'talking',
    },
    {
      leg: '1-48213377024.3',
      user_id: 5,
      label: 'Una User',
      number: null,
      role: 'company',
      state: 'talking',
    },
  ],
  slot: null,
  parked_by: null,
  parked_until: null,
  recording: true,
  monitors: [],
  rooms: true,
};
