/** Links in texts, in every alphabet: carriers and their filters see them, whoever types them. */

const usual =
  'com|net|org|edu|gov|mil|int|info|biz|name|aero|coop|museum|jobs|travel|asia|cat|app|dev|xyz|link|click|shop|store|online|site|web|top|page|club|live|pro|mobi|health|dental|law|agency|cloud|tech|news|blog|email|tel|sale|deals|life|today|world|care|clinic|auto|homes|realty|icu|vip|fun|space|website|art|design|studio|media|digital|solutions|services|group|team|zone|center|plus|social|support|tools|bio|ink|lol|wtf|win|bid|loan|men|date|review|stream|download|racing|party|trade|work';
/** Countries, without those that are words of everyday texts; these count where more follows. */
const countries =
  'ac|ad|ae|af|ag|ai|al|ao|ar|au|aw|az|ba|bb|bd|bf|bg|bh|bi|bj|bm|bn|bo|br|bs|bt|bw|by|bz|ca|cc|cd|cf|cg|ch|ci|ck|cl|cm|cn|co|cr|cu|cv|cw|cx|cy|cz|de|dj|dk|dm|dz|ec|ee|eg|er|es|et|eu|fi|fj|fk|fm|fo|fr|ga|gd|ge|gf|gg|gh|gi|gl|gm|gn|gp|gq|gr|gs|gt|gu|gw|gy|hk|hn|hr|ht|hu|id|ie|il|im|in|io|iq|ir|is|it|je|jm|jo|jp|ke|kg|kh|ki|km|kn|kp|kr|kw|ky|kz|la|lb|lc|li|lk|lr|ls|lt|lu|lv|ly|ma|mc|md|me|mg|mh|mk|ml|mm|mn|mo|mp|mq|mr|ms|mt|mu|mv|mw|mx|mz|na|nc|ne|nf|ng|ni|nl|np|nr|nu|nz|pa|pe|pf|pg|ph|pk|pl|pn|pr|ps|pt|pw|py|qa|re|ro|rs|ru|rw|sa|sb|sc|sd|se|sg|sh|si|sk|sl|sm|sn|sr|ss|st|su|sv|sx|sy|sz|tc|td|tf|tg|th|tj|tk|tl|tm|tn|tr|tt|tv|tw|tz|ua|ug|uk|us|uy|uz|va|vc|ve|vg|vi|vn|vu|wf|ws|ye|yt|za|zm|zw';
/** Endings in other alphabets. */
const others =
  'рф|рус|москва|онлайн|сайт|дети|орг|ком|укр|бел|срб|мкд|мон|қаз|бг|ею|ευ|ελ|հայ|გე|中国|中國|中文网|香港|台湾|台灣|新加坡|澳門|公司|网络|網絡|网址|在线|商城|商店|网店|みんな|セール|ファッション|ストア|コム|クラウド|한국|닷컴|닷넷|भारत|ভারত|இந்தியா|संगठन|नेट|ไทย|ລາວ|ישראל|קום|امارات|السعودية|مصر|ایران|شبكة|موقع|بازار|كوم|قطر|المغرب|عمان|تونس|الجزائر|الاردن|فلسطين|سورية|عراق|پاکستان|بھارت';

const sign = String.raw`[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\uFE0F_-]`;
const before = String.raw`(?<![\p{L}\p{N}\p{M}_@.-])`;
const labels = String.raw`((?:${sign}+\.)+)`;
const after = String.raw`(?![\p{L}\p{N}\p{M}_@-]|\.[\p{L}\p{N}])`;
const address = /(?:https?:\/\/|(?<![\p{L}\p{N}])www\.)[^\s.]/iu;
const domain = new RegExp(
  String.raw`${before}${labels}(${usual}|${countries}|${others}|xn--[a-z0-9-]+)(?=(\/\S|:\d)?)${after}`,
  'giu',
);
/** Any ending of letters, where an address goes on behind it. */
const path = new RegExp(String.raw`${before}${labels}([a-z]{2,24})\/[^\s/]`, 'giu');

/** A capital after a period begins a sentence ("job.In case"), unless no sentence begins so. */
const beginsSentence = (ending: string): boolean =>
  /^\p{Lu}\p{Ll}+$/u.test(ending) && !/^(?:com|net|org|edu|gov|mil|biz|io)$/i.test(ending);
/** "9.am", "3.in": digits alone are no name. */
const isFigure = (labelsText: string): boolean => /^[\d.]+$/.test(labelsText);

/** A text as a phone's link finder sees it: one form of each sign, full stops of all scripts. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/(?<=\S)。(?=\S)/gu, '.');

/** Whether a text, without its merge tags, contains a link: a URL or bare domain, no email address. */
export function containsLink(text: string): boolean {
  const sought = plain(text);
  if (address.test(sought)) return true;
  for (const [, labelsText = '', ending = '', more] of sought.matchAll(domain))
    if (more || !(beginsSentence(ending) || isFigure(labelsText))) return true;
  return [...sought.matchAll(path)].some(([, , ending = '']) => !beginsSentence(ending));
}
