import { z } from 'zod';
import { exampleNumber } from '../numbers/examples.ts';
import { operation } from '../operation.ts';
import { id, one } from '../schemas.ts';
import { routeExample } from './examples.ts';
import { numberWithRoutes, type NumberWithRoutes, updateNumberIn } from './schemas/number.ts';
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

const withRoutes: NumberWithRoutes = {
  ...exampleNumber,
  forwardNumber: '+12125550147',
  routes: [routeExample],
  menu: { greeting: null, fallback: null },
  excluded_users: [],
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
