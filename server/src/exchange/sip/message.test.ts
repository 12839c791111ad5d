import { describe, expect, test } from 'vitest';
import { limits, readMessage } from './read-message.ts';
import { readAddress, readUri } from './grammar.ts';
import { writeResponse } from './write-message.ts';
import { templateOf } from './message.ts';

const lines = (...all: string[]): string => all.join('\r\n');
const read = (text: string | Buffer) => readMessage(Buffer.from(text));
/** A request as plain as can be, with some lines replaced or added. */
const plain = (
  start: string,
  more: readonly string[] = [],
  without: readonly string[] = [],
  body = '',
): string => {
  const [method] = start.trim().split(' ');
  const fields = [
    'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKkdjuw',
    'Max-Forwards: 70',
    'From: <sip:caller@example.net>;tag=93942939o2',
    'To: <sip:user@example.com>',
    'Call-ID: a.1234@192.0.2.1',
    `CSeq: 8 ${method}`,
  ].filter(
    (line) =>
      ![...without, ...more.map((one) => one.split(':')[0] ?? '')].some((name) =>
        line.toLowerCase().startsWith(`${name.toLowerCase()}:`),
      ),
  );
  return lines(start, ...fields, ...more, '', body);
};

/** RFC 4475 §3.1.1: unusual and right. */
const right: readonly [
  name: string,
  text: string | Buffer,
  holds: (message: ReturnType<typeof read>) => unknown,
  expected: unknown,
][] = [
  [
    '3.1.1.1 a short tortuous INVITE',
    lines(
      'INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0',
      'TO :',
      ' sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n',
      'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>',
      '  ;',
      '  tag = 98asjd8',
      'MaX-fOrWaRdS: 0068',
      'Call-ID: wsinv.ndaksdj@192.0.2.1',
      'Content-Length   : 150',
      'cseq: 0009',
      '  INVITE',
      'Via  : SIP  /   2.0',
      ' /UDP',
      '    192.0.2.2;branch=390skdjuw',
      's :',
      'NewFangledHeader:   newfangled value',
      ' continued newfangled value',
      'UnknownHeaderWithUnusualValue: ;;,,;;,;',
      'Content-Type: application/sdp',
      'Route:',
      ' <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
      'v:  SIP  / 2.0  / TCP     spindle.example.com   ;',
      '  branch  =   z9hG4bK9ikj8  ,',
      ' SIP  /    2.0   / UDP  192.168.255.111   ; branch=',
      ' z9hG4bK30239',
      'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =',
      '      newvalue ;',
      '  secondparam ; q = 0.33',
      '',
      `v=0${'x'.repeat(147)}`,
    ),
    (m) =>
      m.kind === 'request' && [
        m.cseq,
        m.vias.length,
        m.from.name,
        m.from.params.get('tag'),
        m.to.params.get('tag'),
        m.headers.get('max-forwards'),
        m.body.length,
      ],
    [{ number: 9, method: 'INVITE' }, 3, 'J Rosenberg \\"', '98asjd8', '1918181833n', '0068', 150],
  ],
  [
    '3.1.1.2 a wide range of valid characters',
    lines(
      "!interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0",
      "Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
      'To: "BEL:\\\x07 NUL:\\\x00 DEL:\\\x7F" <sip:1_unusual.URI~(to-be!sure)&isn\'t+it$/crazy?,/;;*@example.com>',
      "From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%=\"работающий\";tag=_token~1'+`*%!-.",
      'Call-ID: intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{',
      "CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~",
      'Max-Forwards: 255',
      "extensionHeader-!.%*+_`'~: 大停電",
      'Content-Length: 0',
      '',
      '',
    ),
    (m) => m.kind === 'request' && [m.from.name, m.from.params.get('tag'), m.cseq.number],
    ["token1~` token2'+_ token3*%!.-", "_token~1'+`*%!-.", 139_122_385],
  ],
  [
    '3.1.1.3 % escapes',
    plain('INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0', [
      'To: sip:%75se%72@example.com',
      'From: <sip:I%20have%20spaces@example.net>;tag=938',
      'Contact: <sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>',
    ]),
    (m) =>
      m.kind === 'request' && [
        readUri(m.uri)?.user,
        readUri(m.to.uri)?.user,
        readUri(m.from.uri)?.user,
      ],
    ['sips:user@example.com', 'user', 'I have spaces'],
  ],
  [
    '3.1.1.4 escaped nulls',
    plain('REGISTER sip:example.com SIP/2.0', [
      'To: sip:null-%00-null@example.com',
      'Contact: <sip:%00@host5.example.com>',
      'Contact: <sip:%00%00@host5.example.com>',
    ]),
    (m) => m.kind === 'request' && m.headers.list('contact').length,
    2,
  ],
  [
    '3.1.1.5 % that is no escape',
    plain('RE%47IST%45R sip:registrar.example.com SIP/2.0', [
      'To: "%Z%45" <sip:resource@example.com>',
    ]),
    (m) => m.kind === 'request' && [m.method, m.to.name],
    ['RE%47IST%45R', '%Z%45'],
  ],
  [
    '3.1.1.6 no space between name and address',
    plain('OPTIONS sip:user@example.com SIP/2.0', ['From: caller<sip:caller@example.com>;tag=323']),
    (m) => m.kind === 'request' && [m.from.name, m.from.uri],
    ['caller', 'sip:caller@example.com'],
  ],
  [
    '3.1.1.7 long values',
    plain('INVITE sip:user@example.com SIP/2.0', [
      `To: "I have a user name of ${'extreme'.repeat(10)} proportion"<sip:user@example.com:6000;unknownparam1=very${'long'.repeat(20)}value;longparam${'name'.repeat(25)}=shortvalue;very${'long'.repeat(25)}ParameterNameWithNoValue>`,
      `From: sip:${'amazinglylongcallername'.repeat(5)}@example.net;tag=12982${'424'.repeat(50)};unknownheaderparam${'name'.repeat(20)}=unknown${'value'.repeat(15)}`,
      ...Array.from({ length: 34 }, (_, n) => `v: SIP/2.0/TCP sip${34 - n}.example.com`),
      `Contact: <sip:${'amazinglylongcallername'.repeat(5)}@host5.example.net>`,
    ]),
    (m) => m.kind === 'request' && m.vias.length,
    35,
  ],
  [
    '3.1.1.8 more octets than Content-Length names',
    `${plain('REGISTER sip:example.com SIP/2.0', ['Content-Length: 0'])}${plain('INVITE sip:joe@example.com SIP/2.0')}`,
    (m) => m.kind === 'request' && [m.method, m.body],
    ['REGISTER', ''],
  ],
  [
    '3.1.1.9 semicolons in the user part',
    plain('OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0'),
    (m) => m.kind === 'request' && readUri(m.uri)?.user,
    'user;par=u@example.net',
  ],
  [
    '3.1.1.10 varied transports',
    plain('OPTIONS sip:user@example.com SIP/2.0', [
      'Via: SIP/2.0/UDP t1.example.com;branch=z9hG4bKkdjuw',
      'Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bKklasjdhf',
      'Via: SIP/2.0/TLS t3.example.com;branch=z9hG4bK2980unddj',
      'Via: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bKasd0f3en',
      'Via: SIP/2.0/TCP t5.example.com;branch=z9hG4bK0a9idfnee',
    ]),
    (m) => m.kind === 'request' && m.vias.length,
    5,
  ],
  [
    '3.1.1.11 a body in several parts',
    plain(
      'MESSAGE sip:kumiko@example.org SIP/2.0',
      ['Content-Type: multipart/mixed;boundary=7a9cbec02ceef655', 'Content-Length: 60'],
      [],
      `--7a9cbec02ceef655\r\n\r\nHello\r\n--7a9cbec02ceef655--\r\n${'\0'.repeat(20)}`,
    ),
    (m) => m.kind === 'request' && m.body.length,
    60,
  ],
  [
    '3.1.1.12 an unusual reason phrase',
    plain('SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять - простое', ['CSeq: 35 INVITE']),
    (m) => m.kind === 'response' && [m.status, m.reason.startsWith('= 2**3')],
    [200, true],
  ],
  [
    '3.1.1.13 no reason phrase',
    plain('SIP/2.0 100 ', ['CSeq: 35 INVITE']),
    (m) => m.kind === 'response' && [m.status, m.reason],
    [100, ''],
  ],
  [
    '3.3.4 unknown schemes in To, From and Contact',
    plain('REGISTER sip:example.com SIP/2.0', [
      'To: isbn:2983792873',
      'From: <http://www.example.com>;tag=3234233',
      'Contact: <name:John_Smith>',
    ]),
    (m) => m.kind === 'request' && [m.to.uri, m.from.uri],
    ['isbn:2983792873', 'http://www.example.com'],
  ],
  [
    '3.3.11 Max-Forwards of zero',
    plain('OPTIONS sip:user@example.com SIP/2.0', ['Max-Forwards: 0']),
    (m) => m.kind,
    'request',
  ],
  [
    '3.3.12 a Contact with a parameter',
    plain('REGISTER sip:example.com SIP/2.0', [
      'Contact: sip:+19725552222@gw1.example.net;unknownparam',
    ]),
    (m) =>
      m.kind === 'request' &&
      readAddress(m.headers.get('contact') ?? '')?.params.has('unknownparam'),
    true,
  ],
  [
    '3.3.14 escaped headers of a Contact within <>',
    plain('REGISTER sip:example.com SIP/2.0', [
      'Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>',
    ]),
    (m) => m.kind,
    'request',
  ],
  [
    '3.4.1 an INVITE after RFC 2543',
    lines(
      'INVITE sip:UserB@example.com SIP/2.0',
      'Via: SIP/2.0/UDP iftgw.example.com',
      'From: <sip:+13035551111@ift.client.example.net;user=phone>',
      'Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>',
      'To: sip:+16505552222@ss1.example.net;user=phone',
      'Call-ID: inv2543.1717@ift.client.example.com',
      'CSeq: 56 INVITE',
      'Content-Type: application/sdp',
      '',
      'v=0',
    ),
    (m) => m.kind === 'request' && m.body,
    'v=0',
  ],
];

/** §3.1.2, §3.2 and §3.3: wrong, with the status to refuse them by; null = dropped in silence. */
const wrong: readonly [name: string, text: string, status: number | null][] = [
  [
    '3.1.2.1 extraneous separators',
    plain('INVITE sip:user@example.com SIP/2.0', [
      'Via: SIP/2.0/UDP 192.0.2.15;;,;,,',
      'Contact: "Joe" <sip:joe@example.org>;;;;',
    ]),
    400,
  ],
  [
    '3.1.2.2 Content-Length larger than the message',
    plain('INVITE sip:user@example.com SIP/2.0', ['Content-Length: 9999'], [], 'v=0'),
    400,
  ],
  [
    '3.1.2.3 a negative Content-Length',
    plain('INVITE sip:user@example.com SIP/2.0', ['Content-Length: -999'], [], 'v=0'),
    400,
  ],
  [
    '3.1.2.4 overlarge numbers in a request',
    plain('REGISTER sip:example.com SIP/2.0', [
      'CSeq: 36893488147419103232 REGISTER',
      'Max-Forwards: 300',
      'Expires: 10000000000000000000',
    ]),
    400,
  ],
  [
    '3.1.2.5 overlarge numbers in a response',
    plain('SIP/2.0 503 Service Unavailable', [
      'CSeq: 9292394834772304023312 OPTIONS',
      'Retry-After: 949302838503028349304023988',
    ]),
    null,
  ],
  [
    '3.1.2.6 a quote that does not end',
    plain('INVITE sip:user@example.com SIP/2.0', ['To: "Mr. J. User <sip:j.user@example.com>']),
    400,
  ],
  ['3.1.2.7 <> around the Request-URI', plain('INVITE <sip:user@example.com> SIP/2.0'), 400],
  ['3.1.2.8 spaces within the Request-URI', plain('INVITE sip:user@example.com; lr SIP/2.0'), 400],
  [
    '3.1.2.9 several spaces in the start line',
    plain('INVITE  sip:user@example.com  SIP/2.0', ['CSeq: 8 INVITE']),
    400,
  ],
  [
    '3.1.2.10 spaces after the start line',
    plain('OPTIONS sip:remote-target@example.com SIP/2.0  '),
    400,
  ],
  [
    '3.1.2.11 escaped headers in the Request-URI',
    plain('INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0'),
    400,
  ],
  [
    '3.1.2.12 a Date of another zone',
    plain('INVITE sip:user@example.com SIP/2.0', ['Date: Fri, 01 Jan 2010 16:00:00 EST']),
    400,
  ],
  [
    '3.1.2.13 a Contact’s headers without <>',
    plain('REGISTER sip:example.com SIP/2.0', [
      'Contact: sip:user@example.com?Route=%3Csip:sip.example.com%3E',
    ]),
    400,
  ],
  [
    '3.1.2.14 spaces within an address',
    plain('OPTIONS sip:user@example.org SIP/2.0', [
      'To: "Watson, Thomas" < sip:t.watson@example.org >',
    ]),
    400,
  ],
  [
    '3.1.2.15 a name that needs quotes',
    plain('OPTIONS sip:user@example.org SIP/2.0', [
      'From: Bell, Alexander <sip:a.g.bell@example.com>;tag=43',
    ]),
    400,
  ],
  [
    '3.1.2.16 another version',
    plain('OPTIONS sip:t.watson@example.org SIP/7.0', [
      'Via: SIP/7.0/UDP c.example.com;branch=z9hG4bKkdjuw',
    ]),
    505,
  ],
  [
    '3.1.2.17 CSeq of another method',
    plain('OPTIONS sip:user@example.com SIP/2.0', ['CSeq: 8 INVITE']),
    400,
  ],
  [
    '3.1.2.18 CSeq of another method, unknown method',
    plain('NEWMETHOD sip:user@example.com SIP/2.0', ['CSeq: 8 INVITE']),
    400,
  ],
  [
    '3.1.2.19 an overlarge status',
    plain('SIP/2.0 4294967301 better not break the receiver', ['CSeq: 353494 INVITE']),
    null,
  ],
  [
    '3.2.1 a branch that is the cookie alone',
    plain('OPTIONS sip:user@example.com SIP/2.0', ['Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK']),
    400,
  ],
  [
    '3.3.1 required fields missing',
    plain(
      'INVITE sip:user@example.com SIP/2.0',
      ['CSeq: 193942 INVITE'],
      ['Call-ID', 'From', 'To'],
    ),
    400,
  ],
  [
    '3.3.8 several values of fields that have one',
    plain('INVITE sip:user@company.com SIP/2.0', [
      'CSeq: 5 INVITE',
      'Call-ID: multi01',
      'Call-ID: b',
      'CSeq: 59 INVITE',
      'From: sip:caller@example.com;tag=3413415',
      'From: sip:caller@example.com;tag=2',
    ]),
    400,
  ],
  [
    '3.3.9 several Content-Lengths',
    plain(
      'OPTIONS sip:user@example.com SIP/2.0',
      ['Content-Length: 13', 'Content-Length: 5'],
      [],
      'There’s no way',
    ),
    400,
  ],
  [
    '3.3.10 a response that passed somebody else',
    plain('SIP/2.0 200 OK', [
      'CSeq: 8 INVITE',
      'Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923',
      'Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1saber23',
    ]),
    null,
  ],
];

describe('RFC 4475’s torture messages', () => {
  test.each(right)('%s is read', (_name, text, holds, expected) => {
    expect(holds(read(text))).toEqual(expected);
  });
  test.each(wrong)('%s is refused', (_name, text, status) => {
    const message = read(text);
    expect(
      message.kind === 'wrong' ? message.status : message.kind === 'nothing' ? null : message.kind,
    ).toBe(status);
    if (message.kind === 'wrong')
      expect(message.to?.vias.length, 'can be answered').toBeGreaterThan(0);
  });
});

test('what is too large, empty or no SIP at all is dropped, and nothing is read beyond its limits', () => {
  for (const noise of [
    '',
    '\r\n\r\n',
    '\0'.repeat(4),
    'x'.repeat(limits.head + 10),
    plain('SIP/2.0 nonsense'),
  ])
    expect(read(noise).kind, JSON.stringify(noise.slice(0, 20))).toBe('nothing');
  expect(read('GET / HTTP/1.1\r\n\r\n').kind).toBe('wrong');
  expect(
    read(
      plain(
        'INVITE sip:user@example.com SIP/2.0',
        Array.from({ length: limits.lines }, (_, n) => `X-${n}: 1`),
      ),
    ).kind,
  ).toBe('nothing');
  const large = read(
    plain('INVITE sip:user@example.com SIP/2.0', [], [], 'x'.repeat(limits.body + 1)),
  );
  expect(large.kind === 'wrong' && large.status).toBe(413);
  expect(
    readMessage(Buffer.from(plain('OPTIONS sip:user@example.com SIP/2.0')), true).kind,
    'no length in a stream',
  ).toBe('wrong');
});

test('an answer goes back with what its request brought, and no line of it can be forged', () => {
  const message = read(
    plain('INVITE sip:user@example.com SIP/2.0', [
      'Via: SIP/2.0/UDP 10.0.0.7:5060;branch=z9hG4bKone;received=6.6.6.6;rport',
    ]),
  );
  if (message.kind !== 'request') throw new Error('not read');
  const text = writeResponse(
    templateOf(message),
    { address: '192.0.2.9', port: 40_000 },
    403,
    'No\r\nContact: <sip:evil@example.com>',
    { tag: 'abc' },
  ).toString();
  expect(text).toContain(
    'Via: SIP/2.0/UDP 10.0.0.7:5060;branch=z9hG4bKone;rport=40000;received=192.0.2.9\r\n',
  );
  expect(text).toContain('To: <sip:user@example.com>;tag=abc\r\n');
  expect(text.split('\r\n').some((line) => line.startsWith('Contact:'))).toBe(false);
});
