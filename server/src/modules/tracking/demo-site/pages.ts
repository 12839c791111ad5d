/** Who comes to the demo's website, and the page that they land on with what in its address. */
export const visitors = {
  ads: {
    name: 'Google Ads',
    about: 'An ad for implants, clicked on a phone',
    to: '/demo-site/implants?utm_source=google&utm_medium=cpc&utm_campaign=implants-manhattan&utm_term=dental+implants+cost&gclid=Demo-1',
  },
  email: {
    name: 'Email',
    about: 'The link in a newsletter about whitening',
    to: '/demo-site/whitening?utm_source=newsletter&utm_medium=email&utm_campaign=spring-smile',
  },
  direct: {
    name: 'Direct',
    about: 'Typed the address, with a toothache',
    to: '/demo-site/emergency',
  },
} as const;
type Visitor = keyof typeof visitors;

export const landings = {
  implants: {
    title: 'Dental implants in Manhattan',
    text: 'A new tooth in two visits, planned in 3D, with a price you know before we begin.',
  },
  whitening: {
    title: 'A brighter smile for spring',
    text: 'In-office whitening in one hour. Gentle on sensitive teeth, and it lasts.',
  },
  emergency: {
    title: 'Toothache? Come today',
    text: 'We keep two appointments free every day for people in pain. Call first, then come.',
  },
} as const;
type Landing = keyof typeof landings;

/** The number that stands on every page, which the script replaces. */
const OWN_NUMBER = { e164: '+12125552300', national: '(212) 555-2300' };

const styles = `
  body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: #16323b; background: #f4f9f9; }
  a { color: #0b6b73; }
  header, main, aside { max-width: 860px; margin: 0 auto; padding: 20px; }
  header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: baseline; justify-content: space-between; }
  header strong { font-size: 20px; }
  header a { font-weight: 600; text-decoration: none; white-space: nowrap; }
  main { background: #fff; border-radius: 16px; padding: 32px; box-shadow: 0 1px 3px #0002; }
  h1 { margin: 0 0 8px; font-size: 32px; line-height: 1.2; }
  nav { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); }
  nav a { display: block; padding: 16px; border: 1px solid #cfe0e1; border-radius: 12px; text-decoration: none; }
  nav a:hover { border-color: #0b6b73; }
  nav b { display: block; font-size: 18px; }
  nav span { color: #45636b; }
  button { font: inherit; font-weight: 600; padding: 10px 20px; border: 0; border-radius: 10px; color: #fff; background: #0b6b73; cursor: pointer; }
  button:disabled { background: #6d8b90; cursor: default; }
  [hidden] { display: none; }
  aside { color: #45636b; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 0 12px; }
  dd { margin: 0; color: #16323b; }
`;

const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${styles}</style>
${head}
</head>
<body>${body}</body>
</html>
`;

const top = `<header><strong>Harbor Dental</strong>
<a href="tel:${OWN_NUMBER.e164}">${OWN_NUMBER.national}</a></header>`;

const choices = `<nav aria-label="Visit as">${Object.entries(visitors)
  .map(
    ([key, { name, about }]) =>
      `<a href="/demo-site/as/${key}"><b>${name}</b><span>${about}</span></a>`,
  )
  .join('')}</nav>`;

/** Where one chooses who visits. It has no script, so it is no visit. */
export const startPage = (): string =>
  page(
    'Harbor Dental, the demo’s website',
    '',
    `${top}<main><h1>The demo’s website</h1>
<p>Choose how a visitor comes here. Each sees a number of their own, so a call tells where they came from.</p>
${choices}</main>
<aside>Open <a href="/tracking/live" target="_blank">Tracking, Live</a> beside it to watch.</aside>`,
  );

/** Makes the browser a new visitor, and goes on to the page that they land on. */
export const arrivalPage = (visitor: Visitor): string =>
  page(
    'Harbor Dental',
    `<script defer src="/demo-site/page.js" data-to="${visitors[visitor].to.replaceAll('&', '&amp;')}"></script>`,
    '',
  );

/** A page of the website, with the company's own script. */
export const landingPage = (landing: Landing, visitor: Visitor, companyKey: string): string => {
  const { title, text } = landings[landing];
  return page(
    `${title}, Harbor Dental`,
    `<script async src="/t/${companyKey}/1/dni.js"></script>
<script defer src="/demo-site/page.js"></script>`,
    `${top}<main><h1>${title}</h1><p>${text}</p>
<p>Call us: <a id="number" href="tel:${OWN_NUMBER.e164}">${OWN_NUMBER.national}</a></p>
<p><button type="button" id="call" disabled>Call this number</button>
<button type="button" id="hang-up" hidden>Hang up</button></p>
<p id="status" role="status"></p></main>
<aside><dl><dt>You come from</dt><dd>${visitors[visitor].name}</dd>
<dt>The page’s own number</dt><dd data-dni-noswap>${OWN_NUMBER.national}</dd>
<dt>The number you see</dt><dd id="seen">…</dd></dl>
<p>Watch it at <a href="/tracking/live" target="_blank">Tracking, Live</a>, or use
<a id="handset" href="/handset" target="_blank">the handset</a> to hear the call.</p>
<p>Come back as someone else:</p>${choices}</aside>`,
  );
};
