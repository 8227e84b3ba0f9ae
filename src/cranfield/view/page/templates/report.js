"use strict";
// The explorer: shows what was found under the design that is chosen by hand.
(() => {
  const source = document.getElementById("designs");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const kinds = { f8: Float64Array, f4: Float32Array, i2: Int16Array, i4: Int32Array };
  const unpacked = (packed) => {
    if (packed === null) return null;
    const bytes = Uint8Array.from(atob(packed.data), (letter) => letter.charCodeAt(0));
    return new kinds[packed.type](bytes.buffer);
  };
  const [codes, users, values, effects, p, adjusted] =
    ["codes", "users", "values", "effects", "p", "adjusted"].map((name) => unpacked(data[name]));
  const { systems, pairs, factors, designs, base, alpha } = data;
  const manyPairs = 45;
  const selects = factors.map((_, place) => document.getElementById(`choice-${place}`));
  const at = (id) => document.getElementById(id);
  const code = (design, factor) => codes[factor * designs + design];
  const value = (design, system) => values[design * systems.length + system];

  // Numbers are rounded as everywhere else on the page: to even where both are as near.
  const fixed = (number, digits, sign = "") => {
    if (!Number.isFinite(number)) return "–";
    const size = Math.abs(number);
    let shown = size.toFixed(digits);
    const exact = size.toFixed(Math.min(100, digits + 40));
    if (/^50*$/.test(exact.slice(exact.length - 40)) && Number(shown.slice(-1)) % 2 === 1) {
      shown = (Number(shown) - 10 ** -digits).toFixed(digits);
    }
    const negative = number < 0 || Object.is(number, -0);
    return (negative ? "−" : sign) + shown;
  };
  const signed = (number, digits) => fixed(number, digits, "+");
  const pText = (number) =>
    !Number.isFinite(number) ? "–" : number < 0.0001 ? "<0.0001" : fixed(number, 4);

  const make = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, given] of Object.entries(attributes)) made.setAttribute(key, given);
    return made;
  };

  // How many decisions of a design differ from what is chosen; one that does not apply agrees.
  const differing = (design, choice) => {
    let count = 0;
    for (let factor = 0; factor < factors.length; factor += 1) {
      const given = code(design, factor);
      if (given >= 0 && given !== choice[factor]) count += 1;
    }
    return count;
  };
  const tried = (choice) => {
    for (let design = 0; design < designs; design += 1) if (!differing(design, choice)) return design;
    return -1;
  };
  const nearest = (choice, wanted = 3) => {
    const found = [];
    for (let design = 0; design < designs; design += 1) {
      found.push([differing(design, choice), design === base ? -1 : design, design]);
    }
    found.sort((one, two) => one[0] - two[0] || one[1] - two[1]);
    return found.slice(0, wanted).map((entry) => entry[2]);
  };
  const orderOf = (design) =>
    systems.map((_, system) => system).sort((one, two) => {
      const [a, b] = [value(design, one), value(design, two)];
      return Number.isNaN(a) - Number.isNaN(b) || b - a || one - two;
    });
  const rankOf = (design, system) => {
    const mine = value(design, system);
    return 1 + systems.filter((_, other) => value(design, other) > mine).length;
  };
  // What a pair comes to: by the joint test where it was part of it, else by itself.
  const outcomeOf = (design, first, second) => {
    const place = design * pairs.length + pairPlace(first, second);
    const gap = value(design, first) - value(design, second);
    const effect = first < second ? effects[place] : -effects[place];
    const number = p[place];
    const joint = adjusted === null ? NaN : adjusted[place];
    const alone = Number.isNaN(joint);
    const certain = alone ? number < alpha : joint <= alpha;
    const reading = alone
      ? (certain ? "significant by itself" : "may be chance")
      : (certain ? "established" : "not established");
    return { gap, effect, number, joint, certain, reading };
  };
  const pairPlace = (one, two) => {
    const [low, high] = one < two ? [one, two] : [two, one];
    return pairs.findIndex(([first, second]) => first === low && second === high);
  };

  const showSystems = (design) => {
    const order = orderOf(design);
    const most = Math.max(...order.map((system) => Math.abs(value(design, system)) || 0), 1e-12);
    const rows = order.map((system) => {
      const number = value(design, system);
      const row = make("tr");
      row.append(make("td", Number.isNaN(number) ? "–" : String(rankOf(design, system))));
      row.append(make("th", systems[system], { scope: "row" }));
      row.append(make("td", fixed(number, 4), { class: "n" }));
      const bar = make("td", undefined, { class: `bar s${system % 8}`, "aria-hidden": "true" });
      const drawn = make("span");
      drawn.style.width = `${(100 * Math.max(number || 0, 0)) / most}%`;
      bar.append(drawn);
      row.append(bar, movedCell(design, system));
      return row;
    });
    at("values").replaceChildren(...rows);
  };
  const movedCell = (design, system) => {
    if (base === null) return make("td", "–");
    const moved = rankOf(base, system) - rankOf(design, system);
    const was = rankOf(base, system);
    if (!moved) return make("td", String(was));
    const cell = make("td", `${was} `);
    cell.append(make("span", moved > 0 ? `▲ ${moved} up` : `▼ ${-moved} down`, { class: moved > 0 ? "better" : "worse" }));
    return cell;
  };

  // The better of a pair first, the best on top; of very many pairs, neighbours in the order.
  const shownPairs = (design) => {
    const order = orderOf(design);
    return order.flatMap((first, place) => {
      const worse = order.slice(place + 1);
      return (pairs.length > manyPairs ? worse.slice(0, 1) : worse).map((second) => [first, second]);
    });
  };
  // Each cell with its heading, which a phone shows beside it.
  const labelled = (name, rows) => {
    const headings = [...at(name).closest("table").querySelectorAll("thead th")];
    rows.forEach((row) => [...row.children].forEach((cell, place) => {
      cell.dataset.label = headings[place].textContent;
    }));
    return rows;
  };
  const showPairs = (design) => {
    const rows = shownPairs(design).map(([first, second]) => {
      const found = outcomeOf(design, first, second);
      const sign = found.gap > 0 ? ">" : found.gap < 0 ? "<" : "=";
      const row = make("tr");
      row.append(make("th", `${systems[first]} ${sign} ${systems[second]}`, { scope: "row" }));
      row.append(make("td", signed(found.gap, 4), { class: "n" }));
      row.append(make("td", signed(found.effect, 3), { class: "n" }));
      row.append(make("td", pText(found.number), { class: "n" }));
      row.append(make("td", Number.isNaN(found.joint) ? "–" : pText(found.joint), { class: "n" }));
      row.append(make("td", found.reading, found.certain ? { class: "certain" } : {}));
      return row;
    });
    at("pairs").replaceChildren(...labelled("pairs", rows));
    const few = pairs.length > manyPairs ? ", of neighbours in the order" : "";
    const [one, two] = data.leading.map((system) => systems[system]);
    const every = adjusted !== null && !adjusted.subarray(0, pairs.length).some(Number.isNaN);
    const allowed = adjusted === null ? ""
      : every ? "; adjusted p allows for all designs and pairs"
      : `; adjusted p allows for all designs of ${one} and ${two}, the family of the joint test`;
    at("pairs-caption").textContent =
      `Differences under this design${few}, over ${users[design].toLocaleString("en")} users${allowed}`;
  };

  const sentence = (design) => {
    const order = orderOf(design);
    const [first, second] = order;
    const here = `Design ${(design + 1).toLocaleString("en")} of ${designs.toLocaleString("en")}${design === base ? ", the base" : ""}: `;
    if (systems.length < 2) return `${here}${systems[first]} reaches ${fixed(value(design, first), 4)}.`;
    const { number, reading } = outcomeOf(design, first, second);
    const gap = value(design, first) - value(design, second);
    if (Number.isNaN(gap)) return `${here}not every system has a value.`;
    let said = gap === 0
      ? `${systems[first]} and ${systems[second]} score the same`
      : `${systems[first]} is first, ${fixed(gap, 4)} ahead of ${systems[second]} (p ${pText(number).replace(/^(?!<)/, "= ").replace("<", "< ")}, ${reading})`;
    if (base !== null && design !== base) {
      const before = orderOf(base)[0];
      said += before === first ? "; so it is in the base design" : `; in the base design, ${systems[before]} is first`;
    }
    return `${here}${said}.`;
  };

  const changes = (design, choice) => factors
    .map((factor, place) => [factor, code(design, place), choice[place]])
    .filter(([, given, chosen]) => given >= 0 && given !== chosen)
    .map(([factor, given]) => `${factor.name}: ${factor.answers[given]}`)
    .join("; ");
  const showUntried = (choice) => {
    const list = make("ul");
    for (const design of nearest(choice)) {
      const button = make("button", `Take ${changes(design, choice)}`, { type: "button" });
      button.addEventListener("click", () => { choose(choiceOf(design, choice)); selects[0].focus(); });
      const item = make("li");
      item.append(button);
      list.append(item);
    }
    at("untried").replaceChildren(make("p", "The nearest designs that were tried:"), list);
  };

  // Where the design lies among all, by the effect of the leading pair.
  const svgNode = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, given] of Object.entries(attributes)) made.setAttribute(key, given);
    return made;
  };
  const strip = (() => {
    if (!data.leading.length) return null;
    const [first, second] = data.leading;
    const place = pairPlace(first, second);
    const turn = first < second ? 1 : -1;
    const effect = (design) => turn * effects[design * pairs.length + place];
    const known = Array.from({ length: designs }, (_, design) => design)
      .filter((design) => Number.isFinite(effect(design)))
      .sort((one, two) => effect(one) - effect(two) || one - two);
    if (!known.length) return null;
    const position = new Map(known.map((design, index) => [design, index]));
    const wide = 600, high = 70;
    const sizes = known.map((design) => Math.abs(effect(design)));
    const most = Math.max(sizes[0], sizes[sizes.length - 1], 1e-9);
    const x = (index) => (wide * (index + 0.5)) / known.length;
    const y = (design) => high / 2 - (effect(design) / most) * (high / 2 - 4);
    const kinds = { ahead: `s${first % 8}`, behind: `s${second % 8}`, quiet: "quiet" };
    if (first % 8 === second % 8) Object.assign(kinds, { ahead: "ahead", behind: "behind" });
    const path = { ahead: "", behind: "", quiet: "" };
    known.forEach((design, index) => {
      const kind = !outcomeOf(design, first, second).certain ? "quiet" : effect(design) > 0 ? "ahead" : "behind";
      path[kind] += `M${x(index).toFixed(1)} ${y(design).toFixed(1)}h.01`;
    });
    const picture = svgNode("svg", { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-labelledby": "strip-text" });
    picture.append(svgNode("path", { class: "grid", d: `M0 ${high / 2}H${wide}` }));
    for (const [kind, d] of Object.entries(path)) {
      const group = svgNode("g", { class: kinds[kind] });
      group.append(svgNode("path", { class: known.length > 150 ? "specks" : "specks large", d }));
      picture.append(group);
    }
    const pointer = svgNode("path", { class: "stroke", d: "" });
    const ring = svgNode("circle", { class: "ring", r: "5" });
    const group = svgNode("g", { class: "rule" });
    group.append(pointer, ring);
    picture.append(group);
    const text = make("p", "", { id: "strip-text" });
    at("strip").replaceChildren(text, picture);
    return (design) => {
      const index = position.get(design);
      group.style.display = index === undefined ? "none" : "";
      text.textContent = `${systems[first]} minus ${systems[second]} in all designs, lowest effect first` +
        (index === undefined ? "; undefined here" : `; this one is number ${(index + 1).toLocaleString("en")} of ${known.length.toLocaleString("en")}`);
      if (index === undefined) return;
      pointer.setAttribute("d", `M${x(index)} 0V${high}`);
      ring.setAttribute("cx", x(index));
      ring.setAttribute("cy", y(design));
    };
  })();

  const current = () => selects.map((select) => Number(select.value));
  const choiceOf = (design, before) =>
    factors.map((_, place) => (code(design, place) >= 0 ? code(design, place) : before[place]));

  const showHints = (choice, design) => {
    const apart = Array.from({ length: designs }, (_, each) => differing(each, choice));
    factors.forEach((factor, place) => {
      const options = [...selects[place].options];
      const seen = new Set();
      for (let each = 0; each < designs; each += 1) {
        const given = code(each, place);
        const other = apart[each] - (given >= 0 && given !== choice[place] ? 1 : 0);
        if (!other) given < 0 ? options.forEach((_, any) => seen.add(any)) : seen.add(given);
      }
      options.forEach((option, answer) => {
        const label = factor.answers[answer] + (seen.has(answer) ? "" : " (not tried with the others)");
        if (option.textContent !== label) option.textContent = label;
      });
      at(`hint-${place}`).textContent = design >= 0 && code(design, place) < 0 ? "does not apply here" : "";
    });
  };

  const show = () => {
    const choice = current();
    const design = tried(choice);
    at("untried").hidden = design >= 0;
    at("found").hidden = design < 0;
    showHints(choice, design);
    if (design < 0) {
      at("outcome").textContent = "This combination of decisions was not tried, so nothing is known about it.";
      showUntried(choice);
      return;
    }
    at("outcome").textContent = sentence(design);
    showSystems(design);
    showPairs(design);
    if (strip) strip(design);
  };

  // The choice is stored in the address, so that it can be sent and restored.
  const prefix = "#explorer?";
  const remember = () => {
    const chosen = new URLSearchParams();
    current().forEach((answer, place) => chosen.append(factors[place].name, factors[place].answers[answer]));
    try { history.replaceState(null, "", prefix + chosen); } catch { /* some viewers allow no addresses */ }
  };
  const recalled = () => {
    if (!location.hash.startsWith(prefix)) return null;
    const given = new URLSearchParams(location.hash.slice(prefix.length));
    return factors.map((factor, place) => {
      const answer = factor.answers.indexOf(given.get(factor.name));
      return answer >= 0 ? answer : current()[place];
    });
  };
  const choose = (choice, stored = true) => {
    selects.forEach((select, place) => { select.value = String(choice[place]); });
    if (stored) remember();
    show();
  };

  const none = factors.map(() => 0);
  const start = choiceOf(base === null ? 0 : base, none);
  selects.forEach((select) => select.addEventListener("change", () => { remember(); show(); }));
  at("explore").addEventListener("submit", (event) => event.preventDefault());
  if (at("to-base")) at("to-base").addEventListener("click", () => choose(start));
  at("to-any").addEventListener("click", () => choose(choiceOf(Math.floor(Math.random() * designs), none)));
  window.addEventListener("hashchange", () => { const choice = recalled(); if (choice) choose(choice, false); });
  choose(start, false);
  const choice = recalled();
  if (choice) { choose(choice, false); at("explorer").scrollIntoView(); }
})();
