import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { deliveryEvents } from '../rules.ts';
import {
  ga4DefaultParameters,
  ga4Fields,
  ga4Limits,
  ga4Name,
  isReservedEvent,
  isReservedParameter,
  type Ga4Field,
} from './rules.ts';

const name = z.string().regex(ga4Name, 'Use small letters, digits and underscores.');
const eventName = name.refine((one) => !isReservedEvent(one), 'Google reserves this name.');
const parameterName = name.refine((one) => !isReservedParameter(one), 'Google reserves this name.');
const names = z
  .partialRecord(z.enum(ga4Fields), parameterName)
  .refine((map) => new Set(Object.values(map)).size === Object.keys(map).length, {
    error: 'Two fields have the same name.',
  });
const consent = z.enum(['GRANTED', 'DENIED']);

const ga4Event = z.object({
  trigger: z.enum(deliveryEvents),
  eventName: eventName.optional().meta({
    description: 'Left out: phone_call, call_qualified or sms_lead',
  }),
  minDuration: z.number().int().min(0).max(86_400).default(0).meta({ description: 'Seconds' }),
  firstContactOnly: z.boolean().default(false),
  qualifiedOnly: z.boolean().default(false),
  sendValue: z.boolean().default(false),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Enter three letters, such as USD.')
    .default('USD'),
});

/** Where events come from, and what they say. */
export const ga4Config = z.object({
  measurementId: z
    .string()
    .trim()
    .regex(/^G-[A-Z0-9]{4,16}$/, 'Enter a measurement ID, such as G-ABC123DEF4.'),
  propertyId: z
    .string()
    .trim()
    .regex(/^\d{1,20}$/, 'Enter the digits of the property ID.')
    .nullable()
    .default(null),
  scope: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('all') }),
      z.object({ type: z.literal('numbers'), numberIds: z.array(id).max(500) }),
      z.object({ type: z.literal('pools'), dniPoolIds: z.array(id).min(1).max(500) }),
    ])
    .default({ type: 'all' }),
  events: z
    .array(ga4Event)
    .min(1, 'Add an event.')
    .max(ga4Limits.eventsPerRequest - 5)
    .default([
      {
        trigger: 'call.completed',
        minDuration: 0,
        firstContactOnly: false,
        qualifiedOnly: false,
        sendValue: false,
        currency: 'USD',
      },
    ]),
  parameters: names.default(ga4DefaultParameters as Record<Ga4Field, string>).meta({
    description: 'Our field → its name in Google Analytics',
  }),
  userProperties: names.default({}),
  clientIdPolicy: z.enum(['require', 'generate']).default('generate').meta({
    description:
      '`require`: only people whose visit has Google’s cookie. `generate`: all, but sessions don’t join',
  }),
  sendSessionId: z.boolean().default(true),
  sendUserIdHash: z.boolean().default(false),
  nonPersonalizedAds: z.boolean().default(false),
  consent: z
    .object({ ad_user_data: consent, ad_personalization: consent })
    .default({ ad_user_data: 'DENIED', ad_personalization: 'DENIED' }),
  debugMode: z.boolean().default(false),
});
export type Ga4Config = z.infer<typeof ga4Config>;

/** What is sent to add or replace an integration. */
export const ga4Body = ga4Config
  .extend({
    name: z.string().trim().min(1, 'Enter a name.').max(100),
    enabled: z.boolean().default(true),
    apiSecret: z
      .string()
      .regex(/^[\w-]{10,100}$/, 'Enter the API secret as Google shows it.')
      .optional()
      .meta({ description: 'Left out: as it is' }),
  })
  // An empty list would mean all numbers; who is limited to some sees it empty.
  .refine(({ scope }) => scope.type !== 'numbers' || scope.numberIds.length > 0, {
    path: ['scope', 'numberIds'],
    error: 'Choose a number.',
  });

/** What Google, or we, say of the configuration. */
const message = z.object({
  field: z.string().nullable(),
  text: z.string(),
  level: z.enum(['error', 'warning']),
});
export type Ga4Message = z.infer<typeof message>;
export const ga4Messages = z.array(message);

/** An integration as it is shown. */
export const ga4Integration = ga4Config.extend({
  id,
  companyId: id,
  name: z.string(),
  enabled: z.boolean(),
  apiSecret: z.string().meta({ description: 'Its last four characters' }),
  lastSentAt: instant.nullable(),
  lastStatus: z.enum(['ok', 'warning', 'error']),
  lastMessages: ga4Messages,
  sent24h: z.number(),
  createdAt: instant,
  updatedAt: instant,
});
export type Ga4Integration = z.infer<typeof ga4Integration>;
