import { isTollFree, type porting } from '#contract';
import type { Tx } from '../src/platform/db.ts';
import { idAt, insertInBatches } from './demo-rows.ts';

const DAY = 86_400_000;
interface SeedActor {
  companyId: number;
  userId: number;
  userName: string;
  now: Date;
}

interface SeedPort {
  numbers: string[];
  status: porting.PortStatus;
  before?: porting.PortStatus;
  carrier: string;
  days: number;
  wanted?: string[];
  rejection?: object;
  steps: [porting.PortStatus, number, string][];
}
const ports: readonly SeedPort[] = [
  {
    numbers: ['+12125553201', '+12125553202'],
    status: 'pending',
    carrier: 'Old Bell',
    days: 1,
    steps: [],
  },
  {
    numbers: ['+17185553210'],
    status: 'documentsRequested',
    before: 'submitted',
    carrier: 'Prairie Telephone',
    days: 4,
    wanted: ['csr'],
    steps: [
      ['submitted', 4, 'The request was submitted to the carrier.'],
      ['documentsRequested', 3, 'The carrier requires a customer service record.'],
    ],
  },
  {
    numbers: ['+18005553220'],
    status: 'rejected',
    carrier: 'Coastal Wireless',
    days: 9,
    rejection: {
      code: 'pin_mismatch',
      text: 'The PIN doesn’t match the one on the account.',
      fix: 'Ask your carrier for the transfer PIN, enter it and submit again.',
    },
    steps: [
      ['submitted', 9, 'The request was submitted to the carrier.'],
      [
        'rejected',
        7,
        'The carrier rejected the request: The PIN doesn’t match the one on the account.',
      ],
    ],
  },
  {
    numbers: ['+12125553230'],
    status: 'canceled',
    carrier: 'Cable & Voice',
    days: 40,
    steps: [
      ['submitted', 40, 'The request was submitted to the carrier.'],
      ['canceled', 38, 'The request was canceled. The numbers stay at their carrier.'],
    ],
  },
];
const address = {
  line1: '1 Water Street',
  line2: '',
  city: 'New York',
  state: 'NY',
  zip: '10004',
  country: 'US',
};

/** Port requests in various states, as a company has them after some months. */
export async function seedPorts(tx: Tx, actor: SeedActor): Promise<void> {
  const at = actor.now.getTime() - 41 * DAY;
  for (const [i, p] of ports.entries()) {
    const id = idAt(at + i * 1000);
    await insertInBatches(tx, 'port_request', [
      { ...portRow(actor, p), id, account_number: `88421${i + 4}` },
    ]);
    await insertInBatches(
      tx,
      'port_number',
      p.numbers.map((number, position) => ({
        company_id: actor.companyId,
        port_id: id,
        number,
        position,
        type: isTollFree(number) ? 2 : 1,
        portable: true,
        losing_carrier: p.carrier,
        status:
          p.status === 'canceled' ? 'canceled' : p.status === 'pending' ? 'pending' : 'moving',
      })),
    );
    await insertInBatches(
      tx,
      'port_event',
      portEvents(actor, p).map((event, n) => ({
        ...event,
        id: idAt(at + 100_000 + i * 1000 + n),
        port_id: id,
      })),
    );
  }
}

function portRow({ companyId, userId, userName, now }: SeedActor, p: SeedPort) {
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  return {
    company_id: companyId,
    status: p.status,
    status_before: p.before ?? null,
    number_type: isTollFree(p.numbers[0]!) ? 2 : 1,
    losing_carrier: p.carrier,
    billing_telephone_number: p.numbers[0]!,
    entity_name: 'Harbor Dental LLC',
    authorized_first_name: 'Olive',
    authorized_last_name: 'Owner',
    authorized_email: 'owner@demo.test',
    authorized_phone: '+12125550147',
    service_address: address,
    documents_wanted: p.wanted ?? [],
    rejection: p.rejection ?? null,
    carrier: p.steps.length ? 'sandbox' : null,
    ...(p.status === 'documentsRequested'
      ? {
          loa_state: 'signed',
          loa_signed_at: ago(p.days),
          loa_signed_by: 'Olive Owner',
          requested_date: new Date(now.getTime() + 10 * DAY).toISOString().slice(0, 10),
        }
      : {}),
    attempt: p.steps.length ? 1 : 0,
    created_by: userId,
    created_by_name: userName,
    created_at: ago(p.days),
    updated_at: ago(p.steps.at(-1)?.[1] ?? p.days),
    submitted_at: p.steps.length ? ago(p.days) : null,
  };
}

function portEvents({ companyId, userId, userName, now }: SeedActor, p: SeedPort) {
  return [
    { kind: 'change', status: null, text: 'The request was created.', days: p.days },
    ...p.steps.map(([status, days, text]) => ({
      kind: 'status',
      status: status as string | null,
      text,
      days,
    })),
  ].map((e) => ({
    company_id: companyId,
    kind: e.kind,
    status: e.status,
    text: e.text,
    by_user_id: e.kind === 'change' ? userId : null,
    by_name: e.kind === 'change' ? userName : null,
    at: new Date(now.getTime() - e.days * DAY),
  }));
}
