import type { ScriptFinding } from '#contract/tracking/script-rules';
import type { ScriptCheck } from '#contract/tracking/script-schemas';

type Message = ScriptCheck['messages'][number];
interface Wording {
  level: Message['level'];
  text: string;
  fix: string;
}

/** What each finding says, and what whoever makes the website can do about it. */
const wordings: Record<ScriptFinding, Wording> = {
  script_missing: {
    level: 'error',
    text: 'The script isn’t on this page.',
    fix: 'Paste the script before </head> on every page, and publish the website.',
  },
  wrong_key: {
    level: 'error',
    text: 'The script on this page belongs to another company: its key is {key}.',
    fix: 'Replace it with the script from this company’s install page.',
  },
  duplicate_script: {
    level: 'warning',
    text: 'The script is on this page {n} times.',
    fix: 'Keep one of the tags and delete the others. Look in the template, in plugins and in Tag Manager.',
  },
  after_error: {
    level: 'error',
    text: 'The script is in the page’s source, but browsers don’t run it.',
    fix: 'It’s inside a comment or after an unclosed tag. Move it to the top of <head>.',
  },
  domain_not_in_pool: {
    level: 'error',
    text: 'No active tracking pool is for {host}.',
    fix: 'Add {host} to the websites of a pool, or open the page under an address that a pool has.',
  },
  number_not_found: {
    level: 'warning',
    text: '{number} isn’t on this page.',
    fix: 'Put the number into the page as text or as a tel: link. If it’s in a picture, write it as text. If scripts of the page add it later, it’s replaced then.',
  },
  number_format_unknown: {
    level: 'warning',
    text: '{number} is on this page in a form that the script doesn’t recognize: {format}.',
    fix: 'Write the number on one line, such as (212) 555-0100, without words between its digits.',
  },
  other_number_script: {
    level: 'warning',
    text: 'Another script on this page replaces phone numbers too: {names}.',
    fix: 'Remove the other script, or let each replace different numbers. Otherwise they overwrite each other.',
  },
  csp_blocked: {
    level: 'error',
    text: 'The website’s Content Security Policy blocks the script.',
    fix: 'Add {origin} to script-src and connect-src. If the policy uses nonces, give the script tag the page’s nonce.',
  },
  only_in_tag_manager: {
    level: 'warning',
    text: 'The page loads Google Tag Manager and not the script itself, so only a visitor’s browser can tell whether it runs.',
    fix: 'Publish the Custom HTML tag on all pages in Tag Manager, then open the page once in a browser and test again.',
  },
  http_error: {
    level: 'error',
    text: 'The page couldn’t be read: {reason}.',
    fix: 'Check the address in a browser. If it works there, let our checker through your firewall.',
  },
  not_public_url: {
    level: 'error',
    text: 'This isn’t an address on the public internet.',
    fix: 'Enter the address that visitors use, such as www.example.com.',
  },
  timeout: {
    level: 'error',
    text: 'The page didn’t answer within 10 seconds.',
    fix: 'Try again. If it’s slow again, ask your hosting company.',
  },
  script_not_run: {
    level: 'error',
    text: 'A browser opened the page and the script didn’t run{reason}.',
    fix: 'Check what adds or delays it: the trigger in Tag Manager, a consent tool that waits for visitors, or a plugin that postpones scripts.',
  },
  no_number: {
    level: 'warning',
    text: 'The script runs, but there is no number to show on this page.',
    fix: 'Add numbers to the pool for this website, or give it a default number.',
  },
  not_swapped: {
    level: 'warning',
    text: '{number} still shows after the script ran.',
    fix: 'A script of the page writes it again, or the pool replaces it only in some parts of a page. Ask the web designer which script writes the number.',
  },
};

/** A finding in words; `values` fill its places. */
export function messageOf(
  code: ScriptFinding,
  values: Readonly<Record<string, string>> = {},
  level = wordings[code].level,
): Message {
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
  const { text, fix } = wordings[code];
  return { code, level, text: filled(text), fix: filled(fix) };
}
