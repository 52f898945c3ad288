// A leaf server in C++: gRPC with mutual TLS around `Host`.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "bondline.grpc.pb.h"
#include "host.hpp"

// Who the client's certificate says it is: a SPIFFE id, a name, or nobody.
std::string identity(const grpc::ServerContext& context) {
  const auto known = context.auth_context();
  for (const char* key :
       {"peer_spiffe_id", "x509_subject_alternative_name", "x509_common_name"})
    for (const auto& value : known->FindPropertyValues(key))
      return {value.data(), value.size()};
  return {};
}

class Service final : public pb::Leaf::Service {
 public:
  explicit Service(Host& host) : host_(host) {}

  grpc::Status Describe(grpc::ServerContext* context, const pb::DescribeRequest* ask,
                        pb::DescribeReply* reply) override {
    *reply = host_.describe(*ask, identity(*context));
    return grpc::Status::OK;
  }

  grpc::Status Pulse(grpc::ServerContext* context, const pb::PulseRequest* ask,
                     pb::PulseReply* reply) override {
    *reply = host_.pulse(*ask, identity(*context));
    return grpc::Status::OK;
  }

  grpc::Status Converse(grpc::ServerContext* context,
                        grpc::ServerReaderWriter<pb::Reply, pb::Request>* stream) override {
    std::shared_ptr<Session> mine;
    const std::string who = identity(*context);
    pb::Request request;
    while (stream->Read(&request) && stream->Write(host_.answer(request, who, &mine))) {
    }
    host_.hang_up(mine);
    return grpc::Status::OK;
  }

 private:
  Host& host_;
};

std::string text_of(const std::string& path, bool secret = false) {
  struct stat about {};
  std::ifstream file(path);
  if (!file || stat(path.c_str(), &about) != 0)
    throw std::runtime_error(path + ": it cannot be read.");
  if (secret && (about.st_mode & 077))
    throw std::runtime_error(path + ": others may read the key. Try: chmod 600 " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::shared_ptr<grpc::ServerCredentials> credentials(
    const std::map<std::string, std::string>& files) {
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = text_of(files.at("--client-ca"));
  options.pem_key_cert_pairs.push_back(
      {text_of(files.at("--key"), true), text_of(files.at("--cert"))});
  return grpc::SslServerCredentials(options);
}

constexpr const char* kUsage =
    "chain_leaf --cert FILE --key FILE --client-ca FILE [--listen HOST:PORT]\n"
    "           (--allow IDENTITY ... | --allow-all) [--set NAME=VALUE ...]\n";

int serve(int argc, char** argv) {
  std::map<std::string, std::string> given{
      {"--listen", "127.0.0.1:0"}, {"--cert", ""}, {"--key", ""}, {"--client-ca", ""}};
  std::map<std::string, double> parameters{
      {"masses", 3}, {"mass", 1}, {"stiffness", 1e3}, {"damping", 0},
      {"wall", 0},   {"force", 0}, {"frequency", 1}};
  Rules rules;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    const size_t equals = value.find('=');
    if (flag == "--allow-all") { rules.everybody = true; continue; }
    if (flag == "--allow") rules.allowed.insert(value);
    else if (flag == "--set" && equals != std::string::npos &&
             parameters.count(value.substr(0, equals)))
      parameters[value.substr(0, equals)] = std::stod(value.substr(equals + 1));
    else if (given.count(flag)) given[flag] = value;
    else throw std::invalid_argument(flag + " " + value);
    ++i;
  }
  if (parameters["masses"] < 1 || parameters["masses"] > 1e6 || parameters["mass"] <= 0)
    throw std::invalid_argument("masses and mass must be positive");
  if (rules.allowed.empty() && !rules.everybody)
    throw std::invalid_argument("nobody is allowed anything");

  std::ostringstream inside;
  for (const auto& [name, value] : parameters) inside << name << value << ';';
  std::ostringstream digest;
  digest << std::hex << std::hash<std::string>{}(inside.str());
  Host host(Chain(parameters), rules, digest.str());
  Service service(host);

  // All threads that gRPC starts inherit the mask: signals wait for `sigwait` below.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  int port = 0;
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(4 << 20);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5000);
  builder.AddListeningPort(given["--listen"], credentials(given), &port);
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  if (!server || !port) throw std::runtime_error("nobody can listen there");
  const std::string listen = given["--listen"];
  std::cout << "{\"address\": \"" << listen.substr(0, listen.rfind(':')) << ':' << port
            << "\", \"models\": [\"" << rules.model << "\"]}" << std::endl;
  int which = 0;
  sigwait(&ends, &which);
  server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  return 0;
}

int main(int argc, char** argv) try {
  return serve(argc, argv);
} catch (const std::invalid_argument& wrong) {
  std::cerr << "chain_leaf: " << wrong.what() << "\n" << kUsage;
  return 2;
} catch (const std::exception& error) {
  std::cerr << "chain_leaf: " << error.what() << "\n";
  return 3;
}
