import { formatPhone, isTollFree, isVanity, marketplace, numbers as contract } from '#contract';
import { placeOfNumber } from '#contract/area-codes';
import type { Carriers } from '../../gateways/carrier.ts';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { isVerified } from '../compliance/index.ts';
import { nextRenewal } from './rules.ts';
import type { NumberRowView, NumberView } from './store.ts';
import type { Reservation } from './store-reservations.ts';

const instant = <At extends Date | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;
const billedStatuses = new Set(['active', 'suspended', 'parked']);

/** The lessee's side of a marketplace lease; null: the number is not leased. */
function presentLease(row: NumberView, now: Date): contract.NumberDetail['lease'] {
  if (row.lease_listing_id === null) return null;
  const ends = row.lease_ends_at && new Date(row.lease_ends_at);
  const renewable =
    ends !== null &&
    row.status !== 'releasing' &&
    marketplace.renewalProblem({ ends_at: ends, notice_at: row.lease_notice_at }, now) === null;
  return {
    listing_id: row.lease_listing_id,
    ends_at: instant(ends),
    monthly_cents: row.lease_monthly_cents,
    term_months: row.lease_term_months,
    notice_at: instant(row.lease_notice_at),
    renewable,
  };
}

/**
 * The registration's status (A13), if there is a registration, and whether texting waits for it.
 */
export function presentVerification(
  row: Pick<NumberView, 'sms_verification_status' | 'provider_ref' | 'verification_asked'>,
): Pick<contract.NumberDetail['sms_verification'], 'status' | 'needed'> {
  const status =
    contract.verificationStatuses.find((one) => one === row.sms_verification_status) ?? null;
  return {
    status,
    needed: !isVerified({
      status: row.sms_verification_status,
      providerRef: row.provider_ref,
      requiredByCompany: row.verification_asked,
    }),
  };
}

const presentIdentity = (row: NumberView) =>
  ({
    id: row.id,
    number: row.number,
    formatted: formatPhone(row.number),
    label: row.label,
    status: row.status as contract.NumberDetail['status'],
    kind: row.kind as 1,
    category: row.category as 1,
    provider_id: row.provider_id as 1,
    provider_ref: row.provider_ref,
    is_toll_free: isTollFree(row.number),
    is_vanity: row.vanity_text !== null && isVanity(row.vanity_text),
    vanity_text: row.vanity_text,
    country: row.country,
    region: row.region,
    city: row.city,
    rate_center: row.rate_center,
    area_code: row.area_code,
    timezone: placeOfNumber(row.number)?.timezone ?? null,
  }) satisfies Partial<contract.NumberDetail>;

const presentSettings = (row: NumberView) =>
  ({
    routingType: row.routing_type as contract.NumberDetail['routingType'],
    forwardNumber: row.forward_number,
    schedule_id: row.schedule_id,
    greeting_id: row.greeting_id,
    voicemail: {
      enabled: row.voicemail_enabled,
      greeting_id: row.voicemail_greeting_id,
      greeting: row.voicemail_greeting,
      transcribe: row.voicemail_transcribe,
      email: row.voicemail_emails,
      sms_notify: row.voicemail_sms_notify,
    },
    record: row.record,
    recording_announcement: row.recording_announcement as 'none',
    recording_announcement_text: row.recording_announcement_text,
    recording_announcement_greeting_id: row.recording_announcement_greeting_id,
    recording_retention_days: row.recording_retention_days,
    call_transcription_enabled: row.call_transcription_enabled,
    ai_eav_enabled: row.ai_eav_enabled,
    sms_enabled: row.sms_enabled,
    mms_enabled: row.mms_enabled,
    fax_enabled: row.fax_enabled,
    sms_verification: {
      ...presentVerification(row),
      campaign_id: row.sms_verification_campaign_id,
      type: isTollFree(row.number) ? 'toll_free' : 'local',
      updated_at: instant(row.sms_verification_updated_at),
      reason: row.sms_verification_reason,
    },
    caller_id_name: row.caller_id_name,
    spam_status: row.spam_status as 'unknown',
    spam_labels: row.spam_labels,
    spam_checked_at: instant(row.spam_checked_at),
    e911: { enabled: row.e911_enabled, address_id: row.e911_address_id },
  }) satisfies Partial<contract.NumberDetail>;

/** The request that ported the number in; null: none. */
const presentPort = ({ port }: NumberView): contract.NumberDetail['port'] =>
  port
    ? {
        ...port,
        completed_at: instant(port.completed_at === null ? null : new Date(port.completed_at)),
      }
    : null;

/** A number as the API shows it (A6.1), without its routes. */
export function presentView(
  row: NumberView,
  now: Date,
  triggers: contract.NumberDetail['triggers'] = [],
  values: contract.NumberDetail['eavAttributeValues'] = [],
): contract.NumberDetail {
  return {
    ...presentIdentity(row),
    ...presentSettings(row),
    triggers,
    tags: row.tags,
    dni_pool_id: row.dni_pool_id,
    template_id: row.template_id,
    port: presentPort(row),
    hasNotificationBlocks: row.muted,
    unread_messages_count: row.unread,
    eavAttributeValues: values,
    user_ids: row.user_ids,
    monthly_price_cents: row.monthly_price_cents,
    currency: 'USD',
    purchased_at: instant(row.purchased_at),
    last_call_at: instant(row.last_call_at),
    last_message_at: instant(row.last_message_at),
    last_swap_at: instant(row.last_swap_at),
    next_renewal_at: billedStatuses.has(row.status)
      ? nextRenewal(new Date(row.purchased_at), now).toISOString()
      : null,
    releasing_at: instant(row.releasing_at),
    returns_at: instant(row.returns_at),
    lease: presentLease(row, now),
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  };
}

/** A number as a row of the table. */
export function presentRow(
  row: NumberRowView,
  values: contract.NumberRow['eavAttributeValues'],
): contract.NumberRow {
  return {
    id: row.id,
    number: row.number,
    formatted: formatPhone(row.number),
    label: row.label,
    category: row.category as 1,
    kind: row.kind as 1,
    status: row.status as 'active',
    routingType: row.routing_type as 'standard',
    forwardNumber: row.forward_number,
    tags: row.tags,
    region: row.region,
    city: row.city,
    sms_enabled: row.sms_enabled,
    sms_verification: presentVerification(row),
    dni_pool:
      row.dni_pool_id !== null && row.pool_name !== null
        ? { id: row.dni_pool_id, name: row.pool_name }
        : null,
    record: row.record,
    unread_messages_count: row.unread,
    last_call_at: instant(row.last_call_at),
    last_message_at: instant(row.last_message_at),
    returns_at: instant(row.returns_at),
    purchased_at: instant(row.purchased_at),
    eavAttributeValues: values,
  };
}

/** A reserved offer as the API shows it. Prices are in cents. */
export function presentLocated(reservation: Reservation, carriers: Carriers): contract.Located {
  const found: AvailableNumber = reservation.found;
  const { name, label } = carriers.inventoryOwner(found.providerId);
  return {
    number: reservation.number,
    formatted: formatPhone(reservation.number),
    vanity_text: found.vanityText,
    category: reservation.category,
    region: found.region,
    city: found.city,
    rate_center: found.rateCenter,
    area_code: reservation.number.slice(2, 5),
    timezone: placeOfNumber(reservation.number)?.timezone ?? null,
    monthly_cents: found.monthlyCents,
    setup_cents: found.setupCents,
    currency: 'USD',
    provider_id: found.providerId,
    carrier: { name, label, simulated: name === 'sandbox' },
    features: found.features,
    reservation_id: reservation.id,
    expires_at: new Date(reservation.expires_at).toISOString(),
  };
}
