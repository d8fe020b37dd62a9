/**
 * Common generic top-level domains (IANA root zone). A host name with one of them is a link even without `https://`.
 */
const GENERIC = new Set(
  (
    'com org net edu gov mil int info biz name pro mobi jobs coop museum travel app dev page web blog site website online ' +
    'store shop tech cloud digital agency studio design art media news press live stream video tube film movie music band ' +
    'radio photo photos pictures gallery games game sport fit fitness yoga run football fashion style beauty boutique food ' +
    'cafe bar pub restaurant pizza wine beer kitchen recipes wiki link click space world earth today life love family kids ' +
    'baby wedding events party tickets club team social community network chat email host hosting domains systems software ' +
    'solutions services support help guide tips expert academy school university education training courses science ' +
    'health care clinic dental doctor legal law finance money cash bank loan insurance capital fund ventures holdings group ' +
    'company inc ltd llc gmbh business center institute foundation international global city town house homes estate ' +
    'properties rentals hotel holiday tours voyage flights taxi auto cars bike boats energy solar green eco organic farm ' +
    'garden tools repair supply equipment industries engineering construction xyz top win vip icu one fun cool lol wtf ninja ' +
    'guru rocks plus zone works build codes computer audio ink moe monster buzz bio land vegas berlin hamburg koeln cologne ' +
    'bayern ruhr saarland tirol wien swiss london scot wales paris bzh alsace amsterdam brussels gent vlaanderen frl madrid ' +
    'barcelona cat eus gal istanbul moscow tokyo osaka kyoto nyc boston miami quebec sydney melbourne africa asia lat google youtube'
  ).split(' '),
);

/**
 * Country-code top-level domains. A two-label name with one is treated as a word ("readme.md"), except for two that are
 * used generically.
 */
const COUNTRIES = new Set(
  (
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ' +
    'ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi ' +
    'gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ' +
    'ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ' +
    'ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn ' +
    'so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ' +
    'ye yt za zm zw'
  ).split(' '),
);
const LINKED_ALONE = new Set(['co', 'tv']);

/**
 * Whether twitter-text turns a bare host name into a link: always for a generic ending; for a country's ending only
 * below another name (`www.example.de`) or before a path (`example.de/a`). @param host letters, digits, hyphens, dots
 */
export function isLinkedHost(host: string, hasPath: boolean): boolean {
  const labels = host.toLowerCase().split('.');
  const ending = labels.at(-1) ?? '';
  if (labels.some((label) => label === '' || label.startsWith('-') || label.endsWith('-'))) return false;
  if (GENERIC.has(ending)) return true;
  return COUNTRIES.has(ending) && (labels.length > 2 || hasPath || LINKED_ALONE.has(ending));
}
