// The page of the sample: searches, and shows what the breakers do. Text goes into the page as text only.

const POLL = 1000;
const TRAFFIC = 1000;
const PROBLEM = "No answer from the sample itself.";

const history = document.getElementById("history");
const watchlist = document.getElementById("watchlist");
let seen = null;

class Lane {
  constructor(section) {
    this.section = section;
    this.kind = section.dataset.kind;
    this.breaker = section.dataset.breaker;
    this.primary = section.dataset.primary;
    this.fallback = section.dataset.fallback;
    this.simulated = section.dataset.simulated;
    this.asking = false;
    section.append(document.getElementById("lane").content.cloneNode(true));
    this.name();
    this.form().addEventListener("submit", event => {
      event.preventDefault();
      this.search();
    });
    for (const button of section.querySelectorAll(".buttons button")) {
      button.addEventListener("click", () => this.tell(button));
    }
  }

  find(selector) {
    return this.section.querySelector(selector);
  }

  form() {
    return this.find("form");
  }

  name() {
    const word = this.kind === "games" ? "Games" : "Anime";
    const heading = this.find("h2");
    heading.id = `${this.kind}-title`;
    heading.textContent = word;
    const input = this.find("input");
    input.id = `${this.kind}-query`;
    const label = this.find("label");
    label.htmlFor = input.id;
    label.textContent = `Search ${this.kind}`;
    this.find(".gate-name").textContent = this.breaker;
    this.find(".primary .node").textContent = this.primary;
    this.find(".fallback .node").textContent = this.fallback;
    this.find("legend").textContent = `Let ${this.primary} be`;
    this.find(".buttons").setAttribute("aria-label", `Let ${this.primary} be`);
  }

  async search() {
    if (this.asking) {
      return;
    }
    this.asking = true;
    const start = performance.now();
    try {
      const query = encodeURIComponent(this.find("input").value);
      const response = await fetch(`api/${this.kind}?q=${query}`);
      const answer = await response.json();
      this.show(answer, Math.round(performance.now() - start));
    } catch {
      this.show({problem: PROBLEM}, 0);
    } finally {
      this.asking = false;
    }
  }

  show(answer, millis) {
    const line = this.find(".answered");
    line.classList.toggle("failed", "problem" in answer);
    line.classList.toggle("fallback", answer.provider === this.fallback);
    if (answer.problem) {
      line.textContent = answer.problem;
      return;
    }
    if (this.answeredBy !== undefined && this.answeredBy !== answer.provider) {
      note(`${answer.provider} answers the ${this.kind} now`);
    }
    this.answeredBy = answer.provider;
    const provider = element("b", answer.provider);
    line.replaceChildren("answered by ", provider, ` in ${millis} ms`);
    this.find(".results").replaceChildren(...answer.titles.slice(0, 5).map(title => this.row(title)));
    if (answer.titles.length === 0) {
      this.find(".results").replaceChildren(element("li", "Nothing found. Try moon, garden, star, iron or river."));
    }
  }

  row(title) {
    const item = document.createElement("li");
    const name = element("span", title.name);
    const score = element("span", title.score ? String(title.score) : "", "score");
    const tags = element("span", [title.year || null, ...title.tags].filter(Boolean).join(" · "), "tags");
    const keep = element("button", "keep");
    keep.type = "button";
    keep.setAttribute("aria-label", `Put ${title.name} on the watchlist`);
    keep.addEventListener("click", () => changeWatchlist("PUT", title.name));
    item.append(name, score, keep, tags);
    return item;
  }

  render(breaker) {
    const cooling = breaker.state === "CLOSED" && breaker.cooldownMillis > 0;
    const open = breaker.state === "OPEN";
    this.find(".breaker").dataset.state = cooling ? "COOLING" : breaker.state;
    this.find(".badge").textContent = cooling ? "CLOSED, cooling down" : breaker.state;
    const live = breaker.route === "FALLBACK" ? ".fallback" : ".primary";
    for (const leg of this.section.querySelectorAll(".leg")) {
      leg.classList.toggle("live", leg.matches(live));
    }
    this.say(this.sentence(breaker, open, cooling));
    this.find(".failures").textContent = breaker.failures;
    this.find(".passes").textContent = breaker.probesPassed;
    this.find(".next").textContent = this.nextProbe(breaker, open);
    this.find(".cooldown").textContent = breaker.cooldownMillis > 0 ? seconds(breaker.cooldownMillis) : "–";
    const failure = breaker.lastFailure;
    this.find(".last-kind").textContent = failure ? failure.kind : "";
    this.find(".last-text").textContent =
        failure ? `${failure.text} (${clock(failure.at)})` : "No failure seen yet.";
    this.find(".last").title = failure ? `${failure.text}, seen by ${failure.instance}` : "";
  }

  sentence(breaker, open, cooling) {
    if (open) {
      return `${this.fallback} answers. Nobody waits for ${this.primary}.`;
    }
    if (cooling) {
      return `${this.primary} asked for a pause, and gets it. ${this.fallback} answers.`;
    }
    return breaker.failures > 0
      ? `${this.primary} has failed; ${this.fallback} stood in for it.`
      : `Calls go to ${this.primary}.`;
  }

  // A live region speaks at each change: only a changed sentence is one.
  say(text) {
    const say = this.find(".say");
    if (say.textContent !== text) {
      say.textContent = text;
    }
  }

  nextProbe(breaker, open) {
    if (!open) {
      return "–";
    }
    if (breaker.probing) {
      return "under way";
    }
    return breaker.nextProbeMillis > 0 ? seconds(breaker.nextProbeMillis) : "due";
  }

  async tell(button) {
    const response = await fetch(`simulator/admin/${this.simulated}`, {
      method: "PUT",
      headers: {"Content-Type": "application/json"},
      body: button.dataset.say
    });
    if (response.ok) {
      note(`${this.primary} was told to be: ${button.textContent}`);
      this.simulation(await response.json());
    }
  }

  simulation(provider) {
    this.find(".simulator").hidden = false;
    for (const button of this.section.querySelectorAll(".buttons button")) {
      const said = JSON.parse(button.dataset.say);
      const same = said.condition === provider.condition && (said.status ?? null) === (provider.status ?? null);
      button.setAttribute("aria-pressed", String(same));
    }
    this.find(".counts").textContent =
        `${this.primary} was asked: by visitors ${provider.searches}×, by probes ${provider.lookups}×.`;
  }
}

function element(name, text, className) {
  const node = document.createElement(name);
  node.textContent = text;
  if (className) {
    node.className = className;
  }
  return node;
}

function seconds(millis) {
  return `${Math.ceil(millis / 1000)} s`;
}

function clock(instant) {
  return new Date(instant).toLocaleTimeString([], {hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false});
}

function note(text, instant = new Date().toISOString()) {
  const item = document.createElement("li");
  const time = element("time", clock(instant));
  time.dateTime = instant;
  item.append(time, text);
  history.prepend(item);
  while (history.childElementCount > 50) {
    history.lastElementChild.remove();
  }
}

async function pollBreakers(lanes) {
  const board = await (await fetch("api/breakers")).json();
  for (const lane of lanes) {
    const breaker = board.breakers.find(each => each.name === lane.breaker);
    if (breaker) {
      lane.render(breaker);
    }
  }
  noteTransitions(board.transitions);
}

function noteTransitions(transitions) {
  const keys = transitions.map(change => change.at + change.breaker);
  transitions.filter((change, index) => seen === null || !seen.has(keys[index])).reverse().forEach(change => {
    const why = change.cause === "FAILURES" ? "too many failures in a row" : "the probes passed";
    note(`Breaker ${change.breaker}: ${change.from} → ${change.to}, ${why}`, change.at);
  });
  seen = new Set(keys);
}

async function pollSimulator(lanes) {
  const response = await fetch("simulator/admin");
  if (!response.ok) {
    return false;
  }
  const providers = await response.json();
  for (const lane of lanes) {
    lane.simulation(providers.find(each => each.provider === lane.simulated));
  }
  return true;
}

async function changeWatchlist(method, name) {
  const path = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  const response = await fetch(`api/watchlist${path}`, {method});
  if (response.ok) {
    showWatchlist(await response.json());
  }
}

function showWatchlist(names) {
  watchlist.replaceChildren(...names.map(name => {
    const remove = element("button", `${name} ×`);
    remove.type = "button";
    remove.setAttribute("aria-label", `Take ${name} off the watchlist`);
    remove.addEventListener("click", () => changeWatchlist("DELETE", name));
    const item = document.createElement("li");
    item.append(remove);
    return item;
  }));
  if (names.length === 0) {
    watchlist.replaceChildren(element("li", "Empty. It is the application's own table, beside that of the breakers.", "none"));
  }
}

// Each round starts when the last one has ended, so that a slow server is not asked ever more often.
async function repeat(action, pause) {
  for (;;) {
    try {
      if (await action() === false) {
        return;
      }
    } catch {
      // the sample is away; the next round tells whether it is back
    }
    await new Promise(resolve => setTimeout(resolve, pause));
  }
}

const lanes = [...document.querySelectorAll(".lane")].map(section => new Lane(section));
const traffic = document.getElementById("traffic");
traffic.checked = new URLSearchParams(location.search).has("traffic");
lanes.forEach(lane => lane.search());
changeWatchlist("GET");
repeat(() => pollBreakers(lanes), POLL);
repeat(() => pollSimulator(lanes), POLL);
repeat(() => traffic.checked && document.visibilityState === "visible"
    ? Promise.all(lanes.map(lane => lane.search())).then(() => true) : true, TRAFFIC);
