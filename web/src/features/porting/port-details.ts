import type { porting } from '#contract';
import { formatPhoneNumber } from '#ui';

/** Form values of the details step. Unset fields are empty strings. */
export interface DetailValues {
  service: string;
  losing_carrier: string;
  account_number: string;
  pin: string;
  billing_telephone_number: string;
  customer_type: 'business' | 'residential';
  entity_name: string;
  authorized_first_name: string;
  authorized_last_name: string;
  authorized_email: string;
  authorized_phone: string;
  service_address: {
    line1: string;
    line2: string;
    city: string;
    state: string;
    zip: string;
    country: 'US' | 'CA';
  };
  requested_date: string;
  partial: boolean;
  template_id: string;
  temporary_forward_number_id: string;
}
const emptyDetails: DetailValues = {
  service: '1',
  losing_carrier: '',
  account_number: '',
  pin: '',
  billing_telephone_number: '',
  customer_type: 'business',
  entity_name: '',
  authorized_first_name: '',
  authorized_last_name: '',
  authorized_email: '',
  authorized_phone: '',
  service_address: { line1: '', line2: '', city: '', state: '', zip: '', country: 'US' },
  requested_date: '',
  partial: false,
  template_id: '',
  temporary_forward_number_id: '',
};
const toPhoneField = (number: string | null): string => (number ? formatPhoneNumber(number) : '');

/** Form values of a port request; empty ones for null, a request that doesn't exist yet. */
export const toDetailValues = (p: porting.PortRequest | null): DetailValues =>
  p === null
    ? emptyDetails
    : {
        service: String(p.service),
        losing_carrier: p.losing_carrier,
        account_number: p.account_number,
        pin: p.pin ?? '',
        billing_telephone_number: toPhoneField(p.billing_telephone_number),
        customer_type: p.customer_type,
        entity_name: p.entity_name,
        authorized_first_name: p.authorized_first_name,
        authorized_last_name: p.authorized_last_name,
        authorized_email: p.authorized_email,
        authorized_phone: toPhoneField(p.authorized_phone),
        service_address: p.service_address,
        requested_date: p.requested_date ?? '',
        partial: p.partial,
        template_id: p.template_id ? String(p.template_id) : '',
        temporary_forward_number_id: p.temporary_forward_number_id
          ? String(p.temporary_forward_number_id)
          : '',
      };
/** The form values as the API accepts them: empty fields become null. */
export const toDetailRequest = (v: DetailValues) => ({
  ...v,
  service: v.service === '2' ? (2 as const) : (1 as const),
  pin: v.pin || null,
  billing_telephone_number: v.billing_telephone_number || null,
  authorized_phone: v.authorized_phone || null,
  requested_date: v.requested_date || null,
  template_id: v.template_id ? Number(v.template_id) : null,
  temporary_forward_number_id: v.temporary_forward_number_id
    ? Number(v.temporary_forward_number_id)
    : null,
});
