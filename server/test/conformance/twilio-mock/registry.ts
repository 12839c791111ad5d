/**
 * What Twilio's registries store, for tests: bundles, brands, campaigns, verifications, port
 * requests. It answers requests that Twilio's own document allowed.
 */
import { randomBytes } from 'node:crypto';

type Row = Record<string, unknown> & { sid: string };
const sidOf = (kind: string) => kind + randomBytes(16).toString('hex');

export function mockTwilioRegistry() {
  const tables = {
    profiles: new Map<string, Row>(),
    trusts: new Map<string, Row>(),
    users: new Map<string, Row>(),
    documents: new Map<string, Row>(),
    addresses: new Map<string, Row>(),
    brands: new Map<string, Row>(),
    services: new Map<string, Row>(),
    campaigns: new Map<string, Row>(),
    verifications: new Map<string, Row>(),
    ports: new Map<string, Row>(),
  };
  const members = new Map<string, Map<string, string>>();
  const assigned = new Map<string, Set<string>>();
  /** Numbers of the account: number → sid. */
  const owned = new Map<string, string>();
  const unportable = new Set<string>();
  const violations: string[] = [];
  const uploaded: string[] = [];
  /** What is refused from now on, and with which error. */
  const state: {
    refuse: { path: string; body: { code: number; message: string; status: number } } | null;
  } = { refuse: null };

  const formOf = (body: Buffer): Record<string, unknown> => {
    const sent = new URLSearchParams(body.toString());
    return Object.fromEntries(
      [...new Set(sent.keys())].map((key) => {
        const all = sent.getAll(key);
        return [
          key.replace(/(?<!^)[A-Z]/g, (c) => `_${c}`).toLowerCase(),
          all.length > 1 ? all : all[0],
        ];
      }),
    );
  };
  const ok = (body: unknown, status = 200) => ({ status, body });
  const missing = {
    status: 404,
    body: { code: 20404, message: 'The requested resource was not found', status: 404 },
  };
  const list = (key: string, rows: Iterable<unknown>) =>
    ok({ [key]: [...rows], meta: { key, page: 0, page_size: 50, next_page_url: null } });
  const make = (table: Map<string, Row>, kind: string, facts: Record<string, unknown>) => {
    const row: Row = { sid: sidOf(kind), ...facts };
    table.set(row.sid, row);
    return ok(row, 201);
  };
  /** A resource whose rows are read, changed and removed by id. */
  const one = (
    table: Map<string, Row>,
    sid: string,
    method: string,
    form: Record<string, unknown>,
    changed?: (row: Row) => void,
  ) => {
    const row = table.get(sid);
    if (!row) return missing;
    if (method === 'DELETE') {
      table.delete(sid);
      return { status: 204 };
    }
    if (method === 'POST') {
      Object.assign(row, form);
      changed?.(row);
    }
    return ok(row);
  };

  function answer({
    method,
    url,
    type,
    body,
  }: {
    method: string;
    url: URL;
    type: string;
    body: Buffer;
  }): { status: number; body?: unknown } | null {
    const form = type.includes('json')
      ? (JSON.parse(body.toString() || '{}') as Record<string, unknown>)
      : formOf(body);
    const path = url.pathname
      .replace(/^\/2010-04-01\/Accounts\/\w+/, '')
      .replace(/^\/v1/, '')
      .replace(/\.json$/, '');
    const at = (pattern: RegExp) => pattern.exec(path);
    const post = method === 'POST';
    let m: RegExpExecArray | null;
    if (post && state.refuse?.path === path)
      return { status: state.refuse.body.status, body: state.refuse.body };
    if (path === '/IncomingPhoneNumbers') {
      const wanted = url.searchParams.get('PhoneNumber');
      return ok({
        incoming_phone_numbers: [...owned]
          .filter(([n]) => !wanted || n === wanted)
          .map(([phone_number, sid]) => ({ sid, phone_number })),
        next_page_uri: null,
      });
    }
    if ((m = at(/^\/IncomingPhoneNumbers\/(\w+)$/))) return ok({ sid: m[1], ...form });
    if (path === '/Messages' && post) return ok({ sid: sidOf('SM'), status: 'queued' }, 201);
    if (path === '/Addresses') return make(tables.addresses, 'AD', form);
    if ((m = at(/^\/Addresses\/(\w+)$/))) return one(tables.addresses, m[1]!, method, form);
    for (const [name, key, table, kind] of [
      ['CustomerProfiles', 'results', tables.profiles, 'BU'],
      ['TrustProducts', 'results', tables.trusts, 'BU'],
    ] as const) {
      if (path === `/${name}`)
        return post
          ? make(table, kind, { status: 'draft', ...form })
          : list(
              key,
              [...table.values()].filter(
                (r) =>
                  !url.searchParams.get('FriendlyName') ||
                  r['friendly_name'] === url.searchParams.get('FriendlyName'),
              ),
            );
      if ((m = at(new RegExp(`^/${name}/(\\w+)$`)))) return one(table, m[1]!, method, form);
      if ((m = at(new RegExp(`^/${name}/(\\w+)/EntityAssignments$`)))) {
        const parts = assigned.get(m[1]!) ?? new Set<string>();
        if (parts.has(String(form['object_sid'])))
          violations.push(`${String(form['object_sid'])} was assigned twice`);
        assigned.set(m[1]!, parts.add(String(form['object_sid'])));
        return ok({ sid: sidOf('BV'), ...form }, 201);
      }
      if ((m = at(new RegExp(`^/${name}/(\\w+)/Evaluations$`))))
        return ok({ sid: sidOf('EL'), status: 'compliant', results: [] }, 201);
    }
    if (path === '/EndUsers') return make(tables.users, 'IT', form);
    if ((m = at(/^\/EndUsers\/(\w+)$/))) return one(tables.users, m[1]!, method, form);
    if (path === '/SupportingDocuments') return make(tables.documents, 'RD', form);
    if (path === '/a2p/BrandRegistrations')
      return post
        ? make(tables.brands, 'BN', {
            status: 'PENDING',
            errors: [],
            ...form,
            a2p_profile_bundle_sid: form['a2_p_profile_bundle_sid'],
          })
        : list('data', tables.brands.values());
    if ((m = at(/^\/a2p\/BrandRegistrations\/(\w+)$/)))
      return one(tables.brands, m[1]!, method, form, (row) => {
        row['status'] = 'PENDING';
      });
    if (path === '/Services')
      return post ? make(tables.services, 'MG', form) : list('services', tables.services.values());
    if ((m = at(/^\/Services\/(\w+)$/))) {
      if (method === 'DELETE') members.delete(m[1]!);
      return one(tables.services, m[1]!, method, form);
    }
    if ((m = at(/^\/Services\/(\w+)\/PhoneNumbers$/))) {
      const there = members.get(m[1]!) ?? new Map<string, string>();
      members.set(m[1]!, there);
      if (!post)
        return list(
          'phone_numbers',
          [...there].map(([sid, phone_number]) => ({ sid, phone_number })),
        );
      const number = [...owned].find(([, sid]) => sid === form['phone_number_sid'])?.[0];
      if (!number) return missing;
      // A number belongs to one service only.
      if (
        [...members].some(
          ([service, those]) => service !== m![1] && those.has(String(form['phone_number_sid'])),
        )
      )
        return {
          status: 409,
          body: {
            code: 21712,
            message: 'Phone Number is already in another Messaging Service.',
            status: 409,
          },
        };
      there.set(String(form['phone_number_sid']), number);
      return ok({ sid: form['phone_number_sid'], phone_number: number }, 201);
    }
    if ((m = at(/^\/Services\/(\w+)\/PhoneNumbers\/(\w+)$/)))
      return members.get(m[1]!)?.delete(m[2]!) ? { status: 204 } : missing;
    if ((m = at(/^\/Services\/(\w+)\/Compliance\/Usa2p$/))) {
      const service = m[1]!;
      return post
        ? make(tables.campaigns, 'QE', {
            campaign_status: 'IN_PROGRESS',
            errors: [],
            service,
            ...form,
          })
        : list(
            'compliance',
            [...tables.campaigns.values()].filter((c) => c['service'] === service),
          );
    }
    if ((m = at(/^\/Services\/(\w+)\/Compliance\/Usa2p\/(\w+)$/)))
      return one(tables.campaigns, m[2]!, method, form, (row) => {
        row['campaign_status'] = 'IN_PROGRESS';
        row['errors'] = [];
      });
    if (path === '/Tollfree/Verifications' && post) {
      for (const field of [
        'business_type',
        'business_registration_number',
        'business_registration_authority',
        'business_registration_country',
        'business_contact_phone',
        'opt_in_image_urls',
      ])
        if (!form[field]) violations.push(`a toll-free verification without ${field}`);
      if (!/^\+1\d{10}$/.test(String(form['business_contact_phone'])))
        violations.push('a contact’s phone that is not E.164');
    }
    if (path === '/Tollfree/Verifications')
      return post
        ? make(tables.verifications, 'HH', {
            status: 'PENDING_REVIEW',
            edit_allowed: true,
            ...form,
          })
        : list(
            'verifications',
            [...tables.verifications.values()].filter(
              (v) =>
                v['tollfree_phone_number_sid'] === url.searchParams.get('TollfreePhoneNumberSid'),
            ),
          );
    if ((m = at(/^\/Tollfree\/Verifications\/(\w+)$/)))
      return one(tables.verifications, m[1]!, method, form, (row) => {
        row['status'] = 'PENDING_REVIEW';
      });
    if ((m = at(/^\/Porting\/Portability\/PhoneNumber\/(.+)$/))) {
      const number = decodeURIComponent(m[1]!);
      return ok({
        phone_number: number,
        portable: !unportable.has(number),
        not_portable_reason: unportable.has(number)
          ? 'The number is with a carrier that releases none.'
          : null,
        number_type: 'LOCAL',
      });
    }
    if (path === '/Documents') {
      uploaded.push(body.toString('latin1'));
      return ok({ sid: sidOf('RD') }, 201);
    }
    if (path === '/Porting/PortIn') {
      for (const field of [
        'account_sid',
        'documents',
        'phone_numbers',
        'losing_carrier_information',
      ])
        if (!(field in form)) violations.push(`a port without ${field}`);
      const sid = sidOf('KW');
      const row: Row = {
        sid,
        port_in_request_sid: sid,
        port_in_request_status: 'In Review',
        ...form,
      };
      tables.ports.set(sid, row);
      return ok(row, 202);
    }
    if (path === '/Porting/PortIn/PortInRequests')
      return list('port_in_requests', tables.ports.values());
    if ((m = at(/^\/Porting\/PortIn\/(\w+)$/))) {
      const row = tables.ports.get(m[1]!);
      if (!row) return missing;
      if (method !== 'DELETE') return ok(row);
      if (row['port_in_request_status'] === 'Completed')
        return { status: 400, body: { code: 24001, message: 'It is completed.', status: 400 } };
      row['port_in_request_status'] = 'Canceled';
      return { status: 204 };
    }
    violations.push(`nobody answers ${method} ${path}`);
    return missing;
  }
  return {
    get refuse() {
      return state.refuse;
    },
    set refuse(next) {
      state.refuse = next;
    },
    answer,
    tables,
    members,
    assigned,
    owned,
    keptBack: unportable,
    complaints: violations,
    uploaded,
  };
}
