// All sessions of one server: who may open one, who has it, when it ends.
#pragma once

#include <memory>
#include <set>

#include "session.hpp"

struct Rules {
  std::string model = "chain";
  std::set<std::string> allowed;  // identities; nobody else gets anything
  bool everybody = false;
  size_t sessions = 8;
  double lease = 60.0;  // s that a session may be silent
};

class Host {
 public:
  Host(Chain chain, Rules rules, std::string digest)
      : chain_(std::move(chain)), rules_(std::move(rules)), digest_(std::move(digest)) {}

  pb::DescribeReply describe(const pb::DescribeRequest& ask, const std::string& who) {
    pb::DescribeReply reply;
    try {
      admit(ask.version(), ask.model(), who);
      *reply.mutable_description() = description();
    } catch (const Refused& no) {
      tell(no, reply.mutable_failure());
    }
    return reply;
  }

  pb::PulseReply pulse(const pb::PulseRequest& ask, const std::string& who) {
    std::lock_guard<std::mutex> alone(mutex_);
    pb::PulseReply reply;
    const auto found = sessions_.find(ask.session());
    if (found == sessions_.end()) return reply;
    Session& session = *found->second;
    if (session.epoch != ask.epoch() || session.identity != who) return reply;
    session.touched = Clock::now();
    reply.set_open(true);
    reply.set_sequence(session.sequence);
    reply.set_busy(session.busy_since.has_value());
    if (session.busy_since)
      reply.set_seconds(seconds(session.touched - *session.busy_since));
    return reply;
  }

  // `mine` is the session of the stream that the request came on.
  pb::Reply answer(const pb::Request& request, const std::string& who,
                   std::shared_ptr<Session>* mine) {
    pb::Reply reply;
    reply.set_sequence(request.sequence());
    try {
      const auto session = request.has_open() ? opened(request.open(), who, &reply)
                                              : session_of(request, who);
      attach(session, mine);
      if (request.has_close()) {
        forget(session->epoch);
        reply.mutable_done();
      } else if (!request.has_open()) {
        reply = served(*session, request);
      }
    } catch (const Refused& no) {
      tell(no, reply.mutable_failure());
    }
    return reply;
  }

  // A stream ended; its session may be continued on another one.
  void hang_up(const std::shared_ptr<Session>& mine) {
    std::lock_guard<std::mutex> alone(mutex_);
    if (mine) --mine->streams;
  }

 private:
  static double seconds(Clock::duration d) {
    return std::chrono::duration<double>(d).count();
  }

  pb::Reply served(Session& session, const pb::Request& request) {
    mark(session, Clock::now());
    pb::Reply reply = session.answer(request);
    mark(session, std::nullopt);
    return reply;
  }

  void mark(Session& session, std::optional<Clock::time_point> busy) {
    std::lock_guard<std::mutex> alone(mutex_);
    session.touched = Clock::now();
    session.busy_since = busy;
  }

  void attach(const std::shared_ptr<Session>& session, std::shared_ptr<Session>* mine) {
    if (session == *mine) return;
    hang_up(*mine);
    std::lock_guard<std::mutex> alone(mutex_);
    ++session->streams;
    *mine = session;
  }

  void forget(uint64_t number) {
    std::lock_guard<std::mutex> alone(mutex_);
    sessions_.erase(number);
  }

  void admit(const pb::Version& version, const std::string& model,
             const std::string& who) const {
    if (!rules_.everybody && !rules_.allowed.count(who))
      throw Refused{pb::CODE_PERMISSION_DENIED, "The owner does not allow it."};
    if (version.major() != 1)
      throw Refused{pb::CODE_FAILED_PRECONDITION, "This server speaks version 1.0.",
                    pb::KIND_VERSION};
    if (!model.empty() && model != rules_.model)
      throw Refused{pb::CODE_NOT_FOUND, "There is no such model here."};
  }

  std::shared_ptr<Session> session_of(const pb::Request& request,
                                      const std::string& who) {
    std::lock_guard<std::mutex> alone(mutex_);
    const auto found = sessions_.find(request.session());
    if (found == sessions_.end() && fenced_.count(request.session())) throw fenced();
    if (found == sessions_.end())
      throw Refused{pb::CODE_FAILED_PRECONDITION, "There is no such session any more.",
                    pb::KIND_SESSION};
    if (found->second->identity != who)
      throw Refused{pb::CODE_PERMISSION_DENIED, "The session is somebody else's."};
    if (found->second->epoch != request.epoch()) throw fenced();
    return found->second;
  }

  static Refused fenced() {
    return {pb::CODE_ABORTED, "Another coordinator has taken the session over."};
  }

  std::shared_ptr<Session> opened(const pb::Open& ask, const std::string& who,
                                  pb::Reply* reply) {
    admit(ask.version(), ask.model(), who);
    if (!ask.digest().empty() && ask.digest() != digest_)
      throw Refused{pb::CODE_FAILED_PRECONDITION, "The model has changed.",
                    pb::KIND_VERSION};
    if (ask.coordinator().empty() || ask.coordinator().size() > 64 ||
        ask.coordinator().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") !=
            std::string::npos)
      throw Refused{pb::CODE_INVALID_ARGUMENT, "A coordinator is named by a-z, 0-9, -."};
    std::lock_guard<std::mutex> alone(mutex_);
    make_room(ask, who);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto clock = std::chrono::duration_cast<std::chrono::microseconds>(now);
    // Later than all before, also those before a restart, without a disk.
    epoch_ = std::max<uint64_t>(epoch_ + 1, clock.count());
    auto made = std::make_shared<Session>(chain_, epoch_, ask.coordinator(), who);
    sessions_[epoch_] = made;
    reply->mutable_opened()->set_session(epoch_);
    reply->mutable_opened()->set_epoch(epoch_);
    *reply->mutable_opened()->mutable_description() = description();
    return made;
  }

  // Ends sessions that are silent, or fenced off; refuses one too many.
  void make_room(const pb::Open& ask, const std::string& who) {
    for (auto it = sessions_.begin(); it != sessions_.end();) {
      const Session& old = *it->second;
      const bool late = seconds(Clock::now() - old.touched) > rules_.lease;
      const bool same = old.coordinator == ask.coordinator();
      const bool gone = old.streams <= 0 && old.identity == who;
      const bool fence = same && (gone || (ask.takeover() && old.identity == who));
      if (old.busy_since && !fence) ++it;
      else if (late || fence) {
        if (fence) fenced_.insert(it->first);
        it = sessions_.erase(it);
      } else if (same) {
        throw Refused{pb::CODE_RESOURCE_EXHAUSTED, "That coordinator has a session."};
      } else ++it;
    }
    if (sessions_.size() >= rules_.sessions)
      throw Refused{pb::CODE_RESOURCE_EXHAUSTED, "All sessions are taken."};
    while (fenced_.size() > 1024) fenced_.erase(fenced_.begin());
  }

  pb::Description description() const {
    pb::Description made;
    made.mutable_version()->set_major(1);
    made.set_model(rules_.model);
    made.set_digest(digest_);
    for (const char* name : {"left", "right"}) {
      auto* port = made.add_ports();
      port->set_name(name);
      port->add_dofs("x");
      port->set_nodes(1);
    }
    auto* can = made.mutable_capabilities();
    can->set_repeatable(true);
    can->set_linear(true);
    can->set_acceleration(true);
    can->set_one_step(true);
    can->set_superposes(true);
    for (pb::Ability able : {pb::ABILITY_AFFINE, pb::ABILITY_OBSERVING,
                             pb::ABILITY_PRESSING, pb::ABILITY_MOBILE})
      made.add_abilities(able);
    made.set_max_step_seconds(1.0);
    made.set_lease_seconds(rules_.lease);
    return made;
  }

  const Chain chain_;
  const Rules rules_;
  const std::string digest_;
  std::mutex mutex_;
  std::map<uint64_t, std::shared_ptr<Session>> sessions_;
  std::set<uint64_t> fenced_;
  uint64_t epoch_ = 0;
};
