import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';
import { exampleRule } from '../schemas.ts';
import { adfBody, adfIntegration, type AdfIntegration } from './schemas.ts';

const params = z.object({ companyId: id });
const oneParams = params.extend({ id });
const companyId = 7300412;
const example: AdfIntegration = {
  id: 6210,
  name: 'Dealer CRM',
  status: 'active',
  delivery: 'email',
  to: ['leads@crm.example.com'],
  cc: [],
  subject_template: 'New call lead – {dealer}',
  placement: 'body',
  url: null,
  auth: null,
  dealer: {
    id: 'HM-1',
    name: 'Harbor Motors',
    phone: '+12065550100',
    email: 'sales@harbor.example.com',
    address: {
      street: '100 Pine St',
      city: 'Seattle',
      region: 'WA',
      postal_code: '98101',
      country: 'US',
    },
  },
  provider: { name: '', service: '', url: '', email: '', phone: '' },
  lead_types: { sales: true, service: true, parts: true, rental: true, other: true },
  rules: [exampleRule],
  include: {
    recording_link: false,
    transcript: false,
    summary: true,
    source: true,
    custom_fields: [],
  },
  vehicle_from: 'none',
  timezone: null,
  last_sent_at: null,
  last_error: null,
  sent_30d: 0,
  failed_30d: 0,
  created_by: 9,
  created_at: '2026-11-21T09:15:04.000Z',
  updated_at: '2026-11-21T09:15:04.000Z',
};
const body = {
  name: example.name,
  to: example.to,
  dealer: example.dealer,
};

export const listAdfIntegrations = operation({
  summary: 'List where leads are sent as ADF XML, oldest first',
  params,
  answer: z.object({
    data: z.array(adfIntegration),
    meta: z.object({
      simulated: z.boolean().meta({ description: 'Nothing leaves this installation' }),
    }),
  }),
  example: { params: { companyId }, answer: { data: [example], meta: { simulated: false } } },
});

export const createAdfIntegration = operation({
  summary: 'Send leads to a CRM as ADF XML, by email or HTTPS',
  limit: 'codes',
  status: 201,
  params,
  body: adfBody,
  answer: one(adfIntegration),
  errors: ['integration.too_many'],
  example: { params: { companyId }, body, answer: { data: example } },
});

export const updateAdfIntegration = operation({
  summary: 'Replace an ADF integration, also to activate it again',
  params: oneParams,
  body: adfBody,
  answer: one(adfIntegration),
  errors: ['not_found'],
  example: { params: { companyId, id: 6210 }, body, answer: { data: example } },
});

export const deleteAdfIntegration = operation({
  summary: 'Delete an ADF integration with the log of its deliveries',
  params: oneParams,
  status: 204,
  answer: empty,
  errors: ['not_found'],
  example: { params: { companyId, id: 6210 } },
});

export const deactivateAdfIntegration = operation({
  summary: 'Stop sending to an ADF integration; its settings stay',
  params: oneParams,
  answer: one(adfIntegration),
  errors: ['not_found'],
  example: {
    params: { companyId, id: 6210 },
    answer: { data: { ...example, status: 'inactive' as const } },
  },
});
