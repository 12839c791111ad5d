/**
 * The one table of calls that every carrier must log alike. A scenario reads like a telephone call:
 *
 *     caller calls                      Ann rings / Ann rings no more
 *     caller presses 2                  Ann answers · Ann answers and presses 1
 *     caller hangs up                   Ann declines · Ann is busy (before she is rung) · Ann was busy (we know of it) · Ann hangs up
 *     they talk                         until both hear each other
 *     20 s pass                         the product's clock, not the carrier's
 *     caller leaves a message           after the beep, then hangs up (`a short message`: under the three seconds that count)
 *     we restart                        another process takes over, with nothing in its memory
 *     Cat calls Bob                     from the browser; Cat and Dan have no telephone, only the app
 */
interface RouteSpec {
  type: 'in-app-calling' | 'standard' | 'simultaneous' | 'sequential' | 'geo' | 'voicemail';
  to?: string[];
  timeout?: number;
  stagger?: boolean;
  confirm?: string;
  whisper?: string;
  music?: number;
  voicemail?: boolean;
  closed?: boolean;
  label?: string;
}
export interface Scenario {
  name: string;
  routes: RouteSpec[];
  record?: boolean;
  script: string;
  status: number;
  outcome: number;
  history: number[];
  answeredBy?: string;
  faults?: boolean;
}

const phones: RouteSpec = { type: 'standard', to: ['Ann'], voicemail: false };
const app: RouteSpec = { type: 'in-app-calling', to: ['Cat'], voicemail: false };
export const scenarios: Scenario[] = [
  {
    name: 'standard, answered, the caller leaves',
    routes: [phones],
    script: 'caller calls / Ann rings / Ann answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
    faults: true,
  },
  {
    name: 'standard, answered, the called party leaves',
    routes: [phones],
    script: 'caller calls / Ann rings / Ann answers / they talk / Ann hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
  },
  {
    name: 'standard, recorded',
    routes: [phones],
    record: true,
    script: 'caller calls / Ann rings / Ann answers / they talk / it is recorded / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
  },
  {
    name: 'standard, busy',
    routes: [phones],
    script: 'Ann is busy / caller calls',
    status: 8,
    outcome: 2,
    history: [1, 5, 8],
  },
  {
    name: 'standard, no answer',
    routes: [phones],
    script: 'caller calls / Ann rings / 21 s pass',
    status: 8,
    outcome: 2,
    history: [1, 5, 8],
    faults: true,
  },
  {
    name: 'standard, declined',
    routes: [phones],
    script: 'caller calls / Ann rings / Ann declines',
    status: 7,
    outcome: 2,
    history: [1, 7, 7],
  },
  {
    name: 'standard, the caller hangs up while it rings',
    routes: [phones],
    script: 'caller calls / Ann rings / caller hangs up / Ann rings no more',
    status: 11,
    outcome: 2,
    history: [1, 11],
    faults: true,
  },
  {
    name: 'standard, confirmed with the key',
    routes: [{ ...phones, confirm: '1' }],
    script: 'caller calls / Ann rings / Ann answers and presses 1 / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
    faults: true,
  },
  {
    name: 'standard, confirm refused by another key',
    routes: [{ ...phones, confirm: '1' }],
    script: 'caller calls / Ann rings / Ann answers and presses 2',
    status: 7,
    outcome: 2,
    history: [1, 6, 7, 7],
  },
  {
    name: 'standard, hung up instead of confirming',
    routes: [{ ...phones, confirm: '1' }],
    script: 'caller calls / Ann rings / Ann answers / Ann hears the question / Ann hangs up',
    status: 7,
    outcome: 2,
    history: [1, 6, 7, 7],
  },
  {
    name: 'standard, whisper, then talk',
    routes: [{ ...phones, whisper: 'A call for sales' }],
    script: 'caller calls / Ann rings / Ann answers / they talk / Ann hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
  },
  {
    name: 'standard, hold music while it rings',
    routes: [{ ...phones, music: 1 }],
    script: 'caller calls / Ann rings / Ann answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
  },
  {
    name: 'simultaneous, the second takes it',
    routes: [{ type: 'simultaneous', to: ['Ann', 'Bob'], voicemail: false }],
    script:
      'caller calls / Ann rings / Bob rings / Bob answers / Ann rings no more / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 9, 12],
    answeredBy: 'Bob',
    faults: true,
  },
  {
    name: 'simultaneous, one declines and one is busy',
    routes: [{ type: 'simultaneous', to: ['Ann', 'Bob'], voicemail: false }],
    script: 'Bob is busy / caller calls / Ann rings / Bob was busy / Ann declines',
    status: 8,
    outcome: 2,
    history: [1, 5, 7, 8],
  },
  {
    name: 'simultaneous with confirm: the one who confirms has it',
    routes: [{ type: 'simultaneous', to: ['Ann', 'Bob'], confirm: '5', voicemail: false }],
    script:
      'caller calls / Ann rings / Bob rings / Ann answers / Ann hears the question / Bob answers and presses 5 / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 6, 9, 12],
    answeredBy: 'Bob',
  },
  {
    name: 'simultaneous, staggered',
    routes: [{ type: 'simultaneous', to: ['Ann', 'Bob'], stagger: true, voicemail: false }],
    script:
      'caller calls / Ann rings / 6 s pass / Bob rings / Bob answers / they talk / Bob hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 9, 12],
    answeredBy: 'Bob',
  },
  {
    name: 'sequential, the second takes it',
    routes: [{ type: 'sequential', to: ['Ann', 'Bob'], timeout: 10, voicemail: false }],
    script:
      'caller calls / Ann rings / 11 s pass / Ann rings no more / Bob rings / Bob answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 5, 6, 12],
    answeredBy: 'Bob',
    faults: true,
  },
  {
    name: 'sequential, nobody, voicemail',
    routes: [{ type: 'sequential', to: ['Ann', 'Bob'], timeout: 10, voicemail: true }],
    script:
      'caller calls / Ann rings / Ann declines / Bob rings / 11 s pass / caller leaves a short message',
    status: 4,
    outcome: 3,
    history: [1, 7, 5, 4],
    answeredBy: 'Voicemail',
    faults: true,
  },
  {
    name: 'geo without a match goes to its first destination',
    routes: [{ type: 'geo', to: ['Ann'], voicemail: false }],
    script: 'caller calls / Ann rings / Ann answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Ann',
  },
  {
    name: 'voicemail at once',
    routes: [{ type: 'voicemail', voicemail: true }],
    script: 'caller calls / caller leaves a message',
    status: 4,
    outcome: 3,
    history: [1, 4],
    answeredBy: 'Voicemail',
  },
  {
    name: 'voicemail, hung up during the greeting',
    routes: [{ type: 'voicemail', voicemail: true }],
    script: 'caller calls / caller hears something / caller hangs up',
    status: 4,
    outcome: 3,
    history: [1, 4],
    answeredBy: 'Voicemail',
  },
  {
    name: 'after hours',
    routes: [{ ...phones, voicemail: true, closed: true }],
    script: 'caller calls / caller leaves a short message',
    status: 4,
    outcome: 3,
    history: [1, 4],
    answeredBy: 'Voicemail',
  },
  {
    name: 'a menu, a key, a person',
    routes: [
      { ...phones, label: 'Sales' },
      { type: 'standard', to: ['Bob'], label: 'Service', voicemail: false },
    ],
    script:
      'caller calls / caller hears something / caller presses 2 / Bob rings / Bob answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 2, 6, 12],
    answeredBy: 'Bob',
  },
  {
    name: 'a menu nobody chooses from',
    routes: [
      { ...phones, label: 'Sales' },
      { type: 'standard', to: ['Bob'], label: 'Service', voicemail: false },
    ],
    script: 'caller calls / caller hears something / caller hangs up',
    status: 3,
    outcome: 2,
    history: [1, 3],
  },
  {
    name: 'a restart in the middle of ringing',
    routes: [{ type: 'sequential', to: ['Ann', 'Bob'], timeout: 10, voicemail: false }],
    script:
      'caller calls / Ann rings / we restart / 11 s pass / Bob rings / Bob answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 5, 6, 12],
    answeredBy: 'Bob',
  },
  {
    name: 'in the app, answered in the browser, the caller leaves',
    routes: [app],
    script: 'caller calls / Cat rings / Cat answers / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Cat',
    faults: true,
  },
  {
    name: 'in the app, answered in the browser, the person leaves',
    routes: [app],
    script: 'caller calls / Cat rings / Cat answers / they talk / Cat hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Cat',
  },
  {
    name: 'in the app, recorded',
    routes: [app],
    record: true,
    script: 'caller calls / Cat rings / Cat answers / they talk / it is recorded / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Cat',
  },
  {
    name: 'in the app, declined',
    routes: [app],
    script: 'caller calls / Cat rings / Cat declines',
    status: 7,
    outcome: 2,
    history: [1, 7, 7],
  },
  {
    name: 'in the app, no answer',
    routes: [app],
    script: 'caller calls / Cat rings / 21 s pass / Cat rings no more',
    status: 8,
    outcome: 2,
    history: [1, 5, 8],
  },
  {
    name: 'in the app, the caller hangs up while it rings',
    routes: [app],
    script: 'caller calls / Cat rings / caller hangs up / Cat rings no more',
    status: 11,
    outcome: 2,
    history: [1, 11],
    faults: true,
  },
  {
    name: 'in the app, two at once: the second takes it',
    routes: [{ ...app, to: ['Cat', 'Dan'] }],
    script:
      'caller calls / Cat rings / Dan rings / Dan answers / Cat rings no more / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 9, 12],
    answeredBy: 'Dan',
    faults: true,
  },
  {
    name: 'a browser and a telephone at once: the browser takes it',
    routes: [{ type: 'simultaneous', to: ['Ann', 'Cat'], voicemail: false }],
    script:
      'caller calls / Ann rings / Cat rings / Cat answers / Ann rings no more / they talk / Cat hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 9, 12],
    answeredBy: 'Cat',
  },
  {
    name: 'in the browser, confirmed with the key',
    routes: [{ type: 'standard', to: ['Cat'], confirm: '1', voicemail: false }],
    script: 'caller calls / Cat rings / Cat answers and presses 1 / they talk / caller hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Cat',
  },
  {
    name: 'placed in the browser, answered, the called party leaves',
    routes: [phones],
    script: 'Cat calls Bob / Bob rings / Bob answers / they talk / Bob hangs up',
    status: 12,
    outcome: 1,
    history: [1, 6, 12],
    answeredBy: 'Cat',
  },
  {
    name: 'placed in the browser, busy',
    routes: [phones],
    script: 'Bob is busy / Cat calls Bob',
    status: 8,
    outcome: 2,
    history: [1, 5, 8],
  },
];
