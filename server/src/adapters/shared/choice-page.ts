import { escapeHtml } from '../../platform/html.ts';

/** One button: where it posts, and the fields that go along. */
export interface Choice {
  text: string;
  action: string;
  fields?: Readonly<Record<string, string>>;
  /** Drawn as the way out. */
  cancels?: true;
}

/** A page of a simulated third party that asks one question: HTML with a form per answer. */
export const choicePage = (said: {
  title: string;
  about: string;
  choices: readonly Choice[];
  /** Who is simulated. */
  label: string;
}): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(said.title)}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:440px;margin:12vh auto;padding:0 16px}main{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:12px;padding:24px}h1{font-size:20px;margin:0 0 8px}form{margin:8px 0 0}button{font:inherit;width:100%;padding:8px 20px;border-radius:8px;border:1px solid #1d4ed8;background:#1d4ed8;color:#fff;cursor:pointer}.no{background:transparent;color:inherit;border-color:color-mix(in srgb,currentColor 40%,transparent)}small{opacity:.75}</style>
<main><h1>${escapeHtml(said.title)}</h1><p>${escapeHtml(said.about)}</p>
${said.choices.map(formOf).join('\n')}
<p><small>${escapeHtml(said.label)} is simulated here: no account is needed, and nothing leaves this server.</small></p></main></html>`;

const formOf = ({ text, action, fields = {}, cancels }: Choice): string =>
  `<form method="post" action="${escapeHtml(action)}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')}<button ${cancels ? 'class="no"' : ''}>${escapeHtml(text)}</button></form>`;
