// The ladder on the page: highlights with a part missing, and mails that wait. Text goes into the page as text only.

const POLL = 2000;

const rungs = document.getElementById("rungs");
const verdict = document.getElementById("ladder-verdict");
const mail = document.getElementById("mail");
const traffic = document.getElementById("traffic");

const words = {
  LAST_GOOD: "the last good result",
  FALLBACK: "the fallback",
  QUEUED: "stored for later",
  LIMITED: "refused: the fallback has enough to do",
  UNAVAILABLE: "no answer"
};

function element(name, text, className) {
  const node = document.createElement(name);
  node.textContent = text;
  if (className) {
    node.className = className;
  }
  return node;
}

// A live region speaks at each change: only a changed sentence is one.
function say(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function part(name, result) {
  const item = document.createElement("li");
  const titles = result ? result.titles.slice(0, 3).map(title => title.name).join(", ") : "missing";
  item.append(element("b", `${name}: `), titles);
  if (result) {
    item.append(element("span", ` (${result.provider})`, "from"));
  }
  item.classList.toggle("missing", !result);
  return item;
}

function sentence(answer) {
  if (!answer.degraded) {
    return "Complete, and from the first providers.";
  }
  const parts = answer.rungs.map(rung => {
    const [, breaker, name, age] = /^(.*): ([A-Z_]+)(?:, (.*))?$/.exec(rung);
    return `${breaker}: ${words[name]}${age ? `, ${age}` : ""}`;
  });
  return `Degraded. ${parts.join("; ")}.`;
}

async function showHighlights() {
  const response = await fetch("api/highlights");
  const answer = await response.json();
  rungs.replaceChildren(part("Games", answer.games), part("Anime", answer.anime));
  say(verdict, sentence(answer));
  verdict.classList.toggle("degraded", answer.degraded);
}

async function showMail() {
  const response = await fetch("simulator/admin/sendgrid");
  if (response.ok) {
    const provider = await response.json();
    mail.hidden = false;
    mail.querySelector(".counts").textContent =
        `SendGrid was asked: for mails ${provider.searches}×, by probes ${provider.lookups}×.`;
    for (const button of mail.querySelectorAll("button")) {
      const said = JSON.parse(button.dataset.say);
      const same = said.condition === provider.condition && (said.status ?? null) === (provider.status ?? null);
      button.setAttribute("aria-pressed", String(same));
    }
  }
}

for (const button of mail.querySelectorAll("button")) {
  button.addEventListener("click", async () => {
    const headers = {"Content-Type": "application/json"};
    await fetch("simulator/admin/sendgrid", {method: "PUT", headers, body: button.dataset.say});
    await showMail();
  });
}

// Each round starts when the last one has ended, so that a slow server is not asked ever more often.
for (let first = true;; first = false) {
  try {
    if (document.visibilityState === "visible") {
      await showMail();
      if (first || traffic.checked) {
        await showHighlights();
      }
    }
  } catch {
    // the sample is away; the next round tells whether it is back
  }
  await new Promise(resolve => setTimeout(resolve, POLL));
}
