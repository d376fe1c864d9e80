"""A person talks to the bot on Telegram, over the bundled library, with no key."""

from __future__ import annotations

import pytest

from bot.commands import COMMANDS
from tests.e2e.harness import ADA, BOB, GROUP, STRANGER, BotProcess
from tests.peer import Peer

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("bot")]


async def test_start_says_what_this_is_and_the_commands_are_set(peer: Peer) -> None:
    reply = await peer.ask(ADA, "/start", seconds=60)
    assert "research assistant" in reply.text
    (call,) = peer.calls("setMyCommands")
    for command in COMMANDS:
        assert f'"{command.name}"' in str(call.fields["commands"])


async def test_a_question_is_answered_with_footnotes(peer: Peer) -> None:
    reply = await peer.ask(ADA, "How does LoRA reduce the number of trainable parameters?")
    assert "[1]" in reply.formatted.of("text_link")
    (notes,) = reply.formatted.of("expandable_blockquote")
    assert "lora" in notes.lower()
    assert peer.calls("sendChatAction", ADA)


async def test_a_list_has_buttons_that_summarise(peer: Peer) -> None:
    listed = await peer.ask(ADA, "/find retrieval augmented generation")
    assert listed.text.count("\n\n") >= 2
    assert [button["text"] for button in listed.buttons[0]] == [
        "1 · Summary",
        "Similar",
        "Compare…",
    ]
    before = len(peer.replies(ADA))
    await peer.tap(listed, "1 · Summary")
    summary = await peer.reply(ADA, before)
    assert "[1]" in summary.text
    assert peer.calls("answerCallbackQuery")[-1].status == 200


async def test_two_papers_are_compared_by_two_taps(peer: Peer) -> None:
    listed = await peer.ask(ADA, "/find image classification with convolutional networks")
    before = len(peer.replies(ADA))
    await peer.tap(listed, "Compare…")
    question = await peer.reply(ADA, before)
    assert "with which one?" in question.text
    await peer.tap_data(question, question.buttons[0][0]["callback_data"])
    comparison = await peer.reply(ADA, before + 1)
    assert comparison.text.count("\n• ") >= 2
    assert "[1]" in comparison.text


async def test_tapping_twice_does_the_work_once(peer: Peer) -> None:
    listed = await peer.ask(ADA, "/find attention")
    before = len(peer.replies(ADA))
    for _ in range(2):
        await peer.tap(listed, "Similar")
    await peer.message(ADA, "/help")
    await peer.wait_until(lambda: any("/digest" in c.text for c in peer.replies(ADA)[before:]))
    similar, help_ = peer.replies(ADA)[before:]
    assert "/digest" in help_.text
    assert "/digest" not in similar.text


async def test_an_old_button_says_so(peer: Peer) -> None:
    listed = await peer.ask(ADA, "/find optimisation")
    before = len(peer.replies(ADA))
    await peer.tap_data(listed, "0123456789abcdef")
    assert "too old" in (await peer.reply(ADA, before)).text


async def test_a_tap_that_telegram_calls_too_old_is_still_followed(peer: Peer) -> None:
    listed = await peer.ask(ADA, "/find transformers")
    before = len(peer.replies(ADA))
    peer.fail(
        "answerCallbackQuery",
        400,
        "Bad Request: query is too old and response timeout expired or query ID is invalid",
    )
    await peer.tap(listed, "1 · Summary")
    assert "[1]" in (await peer.reply(ADA, before)).text


async def test_a_summary_can_be_asked_for_by_name_and_by_place(peer: Peer) -> None:
    by_name = await peer.ask(ADA, "/summary lora")
    assert "LoRA" in by_name.text
    await peer.ask(ADA, "/find reinforcement learning")
    by_place = await peer.ask(ADA, "summarise the second one")
    assert "[1]" in by_place.text


async def test_new_forgets_the_conversation(peer: Peer) -> None:
    await peer.ask(ADA, "/find diffusion")
    assert "new conversation" in (await peer.ask(ADA, "/new")).text.lower()
    reply = await peer.ask(ADA, "summarise the second one")
    assert "[1]" not in reply.text


async def test_nothing_runs_so_nothing_is_cancelled(peer: Peer) -> None:
    assert "Nothing is running" in (await peer.ask(ADA, "/cancel")).text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("/frobnicate", "no command /frobnicate"),
        ("/find", "Find what?"),
        ("/summary no-such-paper-at-all", "no-such-paper-at-all"),
        ("x" * 20_000, "20,000 characters"),
        ("/digest tomorrow", "/digest"),
        ("/stop", "no digest"),
    ],
)
async def test_what_cannot_be_followed_is_said_in_a_line(peer: Peer, words: str, said: str) -> None:
    reply = await peer.ask(BOB, words)
    assert said in reply.text
    assert len(reply.text.partition("\n\n")[0]) < 300


async def test_the_longest_message_telegram_allows_is_read(peer: Peer) -> None:
    question = "What is low-rank adaptation? " * 150
    assert (await peer.ask(ADA, question[:4096])).text


@pytest.mark.parametrize(
    "content",
    [
        {"photo": [{"file_id": "1", "file_unique_id": "1", "width": 1, "height": 1}]},
        {"document": {"file_id": "2", "file_unique_id": "2"}},
    ],
)
async def test_a_picture_or_a_file_is_told_what_is_read(peer: Peer, content: dict) -> None:  # type: ignore[type-arg]
    before = len(peer.replies(ADA))
    await peer.message(ADA, **content)
    assert "text only" in (await peer.reply(ADA, before)).text


async def test_an_edited_message_runs_nothing(peer: Peer) -> None:
    before = len(peer.replies(ADA))
    await peer.edited(ADA, "/find something else")
    await peer.message(ADA, "/help")
    await peer.reply(ADA, before)
    assert len(peer.replies(ADA)) == before + 1


async def test_a_stranger_is_told_once_how_to_be_let_in_and_nothing_else(peer: Peer) -> None:
    for words in ("/start", "What is LoRA?", "/find attention"):
        await peer.message(STRANGER, words)
    reply = await peer.reply(STRANGER)
    assert f"add {STRANGER} to ALLOWED_USERS" in reply.text
    listed = await peer.ask(ADA, "/find attention")
    await peer.tap(listed, "1 · Summary", user=STRANGER)
    await peer.ask(ADA, "/help")
    assert len(peer.replies(STRANGER)) == 1


async def test_in_a_group_it_answers_only_what_is_meant_for_it(peer: Peer) -> None:
    name = f"@{peer.username}"
    for words in (
        "What is LoRA?",
        "/find@OtherBot attention",
        "/unknown",
        f"see https://t.me/x?y={name}",
    ):
        await peer.message(GROUP, words, user=ADA)
    await peer.message(GROUP, f"/help{name}", user=STRANGER)
    question = await peer.message(GROUP, f"{name} what is LoRA?", user=ADA)
    reply = await peer.reply(GROUP)
    assert question
    assert "reply_to_message" in reply.result
    assert "[1]" in reply.text
    await peer.message(GROUP, f"/help{name}", user=ADA)
    await peer.message(GROUP, "and what does it cost?", user=ADA, reply_to_message=reply.result)
    await peer.wait_until(lambda: len(peer.replies(GROUP)) == 3)
    assert "/find" in peer.replies(GROUP)[1].text


async def test_chats_are_answered_side_by_side_and_each_in_its_order(peer: Peer) -> None:
    before, bob = len(peer.replies(ADA)), len(peer.replies(BOB))
    peer.fail("sendMessage", 429, "Too Many Requests: retry after 2", chat_id=ADA, retry_after=2)
    for words in ("/help", "/stop", "/cancel"):
        await peer.message(ADA, words)
    await peer.message(BOB, "/help")
    await peer.reply(BOB, bob)
    assert [c.text[:7] for c in peer.replies(ADA)[before:]] == ["Nothing"]  # /cancel passes
    await peer.wait_until(lambda: len(peer.replies(ADA)) == before + 3)
    assert [c.text[:7] for c in peer.replies(ADA)[before:]] == ["Nothing", "Write a", "You hav"]
    (waited,) = [c for c in peer.calls("sendMessage", ADA) if c.status == 429][-1:]
    assert peer.replies(ADA)[before + 1].at - waited.at >= 2


async def test_the_token_is_in_no_log(bot: BotProcess, peer: Peer) -> None:
    assert "DEBUG" in bot.logged()
    assert peer.token not in bot.logged()
    assert peer.token.partition(":")[2] not in bot.logged()
