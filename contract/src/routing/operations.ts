import { z } from 'zod';
import { exampleNumber } from '../numbers/examples.ts';
import { operation } from '../operation.ts';
import { id, one } from '../schemas.ts';
import { numberWithRoutes, type NumberWithRoutes, updateNumberIn } from './schemas/number.ts';
import type { Route } from './schemas/routes.ts';
import { simulation, simulationIn } from './schemas/simulation.ts';

export const simulateNumber = operation({
  summary:
    'Simulate a call: every step with its reason, decided by the live engine. Nothing is saved',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: simulationIn,
  answer: one(simulation),
  example: {
    params: { id: 1 },
    body: { from: '+12125550147', at: '2026-11-18T17:00:00Z', pressed: ['1'] },
    answer: {
      data: {
        outcome: 'connected',
        status: 12,
        steps: [
          {
            i: 0,
            at: '2026-11-18T17:00:00.000Z',
            node: 'start',
            rule: 'inbound call',
            matched: true,
            because: '(212) 555-0147 calls Main.',
            target: '+14155552368',
            duration: 0,
            extension: null,
          },
        ],
        warnings: [],
      },
    },
  },
});

const routeExample: Route = {
  id: 7,
  extension: 1,
  label: '',
  type: 'standard',
  forwards: [
    {
      id: 8,
      label: 'Front desk',
      number: '+12125550147',
      contact_id: null,
      user_id: null,
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
  stagger: false,
  caller_id_pass_thru: true,
  confirm_key: false,
  confirm_key_wait: 10,
  timeout: 20,
  onhold_music_id: null,
  geo_by_state_enabled: false,
  geo_by_state_static_fallback: true,
  confirm_whisper: '',
  email_alert_address: [],
  voicemail_enabled: false,
  voicemail_greeting_id: null,
  voicemail_greeting: null,
  round_robin: 'none',
  after_hours: null,
  max_attempts: 1,
};

const withRoutes: NumberWithRoutes = {
  ...exampleNumber,
  forwardNumber: '+12125550147',
  routes: [routeExample],
  menu: { greeting: null, fallback: null },
};

export const getNumber = operation({
  summary: 'Get one number with its settings and routes',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  answer: one(numberWithRoutes),
  example: { params: { id: 11 }, answer: { data: withRoutes } },
});

export const updateNumber = operation({
  summary: 'Update a number’s settings and routes',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: updateNumberIn,
  answer: one(numberWithRoutes),
  etagOf: 'getNumber',
  example: {
    params: { id: 11 },
    body: {
      label: 'Front desk',
      routes: [{ extension: 1, type: 'standard', forwards: [{ number: '+12125550147' }] }],
    },
    answer: { data: withRoutes },
  },
});
