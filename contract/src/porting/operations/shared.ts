import { z } from 'zod';
import { id, one } from '../../schemas.ts';
import { portRequest, type PortRequest } from '../schemas.ts';

export const at = '2026-11-21T09:15:04.000Z';

export const example: PortRequest = {
  id: 31,
  status: 'pending',
  status_before: null,
  numbers: [
    {
      number: '+12125552368',
      formatted: '(212) 555-2368',
      type: 1,
      portable: true,
      reason: null,
      status: 'pending',
      completed_at: null,
      number_id: null,
    },
  ],
  service: 1,
  losing_carrier: 'Old Bell',
  account_number: '884213',
  pin: '4321',
  billing_telephone_number: '+12125552368',
  customer_type: 'business',
  entity_name: 'Harbor Dental LLC',
  authorized_first_name: 'Olive',
  authorized_last_name: 'Owner',
  authorized_email: 'olive@harbor.test',
  authorized_phone: '+12125550147',
  service_address: {
    line1: '1 Water Street',
    line2: '',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    country: 'US',
  },
  requested_date: '2026-12-09',
  partial: false,
  loa: { state: 'unsigned', signed_at: null, signed_by: null, signed_in_as: null, file: null },
  documents: [],
  documents_wanted: [],
  foc_date: null,
  rejection: null,
  alarm: null,
  notes: [],
  events: [],
  template_id: null,
  temporary_forward_number_id: null,
  earliest_date: '2026-12-03',
  needs: { loa: 'Sign the letter of authorization.' },
  carrier: null,
  carrier_ref: null,
  cancel_reason: null,
  created_by: { id: 1, name: 'Olive Owner' },
  created_at: at,
  updated_at: at,
  submitted_at: null,
  completed_at: null,
};

export const ofPort = z.object({ companyId: id, id });

export const params = { companyId: 1, id: 31 };

export const common = { params: ofPort, answer: one(portRequest) } as const;
